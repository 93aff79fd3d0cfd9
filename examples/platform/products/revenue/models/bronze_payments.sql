SELECT
    payment_id,
    amount,
    paid_at
FROM {{ ref('raw_payments') }}
