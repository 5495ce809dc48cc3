package io.tsdbsuite.nightly.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.PythonPackages;
import io.tsdbsuite.testkit.WorkDirs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Airflow itself loads the example of a DAG; the first time it is installed, 290 MB. */
@Tag("slow")
class AirflowIT {
  private static final String VERSION = "3.3.2";

  /** Prints problems, and then what Airflow has understood. */
  private static final String LOAD =
      """
      import sys
      from airflow.dag_processing.dagbag import DagBag
      bag = DagBag(sys.argv[1])
      for problem in list(bag.import_errors.items()) + list(bag.captured_warnings.items()):
          print("problem", problem)
      for dag in bag.dags.values():
          print("dag", dag.dag_id, dag.schedule, dag.catchup, dag.max_active_runs)
          for task in dag.tasks:
              print("task", task.task_id, task.retries, task.retry_delay, task.bash_command)
      """;

  @Test
  void loadsTheExample() throws Exception {
    Path dir = WorkDirs.fresh("airflow").toAbsolutePath();
    ProcessBuilder builder =
        PythonPackages.install("airflow-" + VERSION, "apache-airflow==" + VERSION)
            .python(
                "-c",
                LOAD,
                Path.of("..", "docs", "examples", "rollup_nightly_dag.py").toRealPath().toString());
    builder.environment().put("AIRFLOW_HOME", dir.toString());
    builder.environment().put("AIRFLOW__LOGGING__LOGGING_LEVEL", "ERROR");
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    Path out = dir.resolve("out.txt");
    Path err = dir.resolve("err.txt");
    Process airflow = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    assertThat(airflow.waitFor()).as(Files.readString(err, StandardCharsets.UTF_8)).isZero();
    assertThat(out)
        .hasContent(
            """
            dag rollup_nightly 30 1 * * * False 1
            task rollup 3 0:15:00 /usr/bin/rollup-nightly --config /etc/opentsdb-suite/nightly.conf
            """);
  }
}
