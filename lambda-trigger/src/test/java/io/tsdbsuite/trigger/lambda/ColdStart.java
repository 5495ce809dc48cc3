package io.tsdbsuite.trigger.lambda;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Measures a cold start: prints the jar's size, the time from the start of the JVM to the first
 * event, and the time for this event, which needs no service. {@code bin/cold-start} calls it.
 */
public final class ColdStart {
  private static final int STARTS = 5;

  private ColdStart() {}

  /**
   * Measures.
   *
   * @param args the jar, the file with the class path of Lambda's runtime, a directory for files
   */
  public static void main(String[] args) throws IOException {
    Path jar = Path.of(args[0]);
    String runtime = Files.readString(Path.of(args[1])).strip();
    Path tmp = Path.of(args[2]);
    System.out.printf("jar: %.1f MB%n", Files.size(jar) / 1e6);
    double[] init = new double[STARTS];
    double[] first = new double[STARTS];
    for (int i = 0; i < STARTS; i++) {
      try (LambdaProcess lambda =
          LambdaProcess.start(
              jar, runtime, "io.tsdbsuite.trigger.TriggerHandler", environment(), tmp)) {
        if (lambda.initAnswer().error() != null) {
          throw new IOException(lambda.initAnswer() + " " + lambda.output());
        }
        init[i] = lambda.init().toNanos() / 1e6;
        long begin = System.nanoTime();
        InvocationResult answer = lambda.invoke("{\"Records\":[]}");
        first[i] = (System.nanoTime() - begin) / 1e6;
        if (answer.error() != null) {
          throw new IOException(answer.toString());
        }
      }
    }
    Arrays.sort(init);
    Arrays.sort(first);
    System.out.printf(
        "init: %.0f ms (%.0f to %.0f), first empty batch: %.0f ms; median of %d starts%n",
        init[STARTS / 2], init[0], init[STARTS - 1], first[STARTS / 2], STARTS);
  }

  private static Map<String, String> environment() {
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put("AWS_REGION", "us-east-1");
    environment.put("AWS_ACCESS_KEY_ID", "none");
    environment.put("AWS_SECRET_ACCESS_KEY", "none");
    environment.put("ROOT", "s3://backup/hbase");
    environment.put("DATA_TABLE", "tsdb");
    environment.put("TOPIC", "rollups");
    environment.put("UID_TABLE", "tsdb-uid");
    environment.put("REPORT_ROOT", "s3://logs/reports");
    environment.put(
        "STATE_MACHINE_ARN", "arn:aws:states:us-east-1:123456789012:stateMachine:rollup");
    environment.put("METRICS_NAMESPACE", "OpenTSDB/Rollup");
    return environment;
  }
}
