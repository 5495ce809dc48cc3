"""An Airflow DAG (Airflow 3) that runs rollup-nightly every night; docs/nightly.md.

rollup-nightly finds missed days itself, so Airflow must not catch up, and one run at a time is enough.
Airflow retries after each failure; that helps after exit code 3 (an outside system failed), and does no
harm after 1, 2 and 4, which need a person.
"""

from datetime import datetime, timedelta, timezone

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG

COMMAND = "/usr/bin/rollup-nightly --config /etc/opentsdb-suite/nightly.conf"

with DAG(
    dag_id="rollup_nightly",
    description="Rolls up every day of OpenTSDB that is due",
    schedule="30 1 * * *",
    start_date=datetime(2026, 11, 1, tzinfo=timezone.utc),
    catchup=False,
    max_active_runs=1,
    tags=["opentsdb"],
) as dag:
    BashOperator(
        task_id="rollup",
        bash_command=COMMAND,
        retries=3,
        retry_delay=timedelta(minutes=15),
        execution_timeout=timedelta(hours=20),
    )
