SELECT
    CAST(paid_at AS DATE) AS paid_on,
    SUM(amount) AS revenue,
    MAX(paid_at) AS updated_at
FROM {{ ref('bronze_payments') }}
GROUP BY CAST(paid_at AS DATE)
