"""How schedulers start the checks: cron, systemd, Kubernetes, Airflow and Dagster, each with the slot it stands for."""
