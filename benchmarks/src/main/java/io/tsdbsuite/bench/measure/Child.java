package io.tsdbsuite.bench.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A completed process.
 *
 * @param seconds wall-clock time
 * @param cpuSeconds CPU of all its threads, without the last 20 ms
 * @param peakBytes peak of resident memory, bytes, from the kernel's VmHWM
 * @param output text of both streams
 */
public record Child(double seconds, double cpuSeconds, long peakBytes, String output) {
  private static final long SAMPLE_MILLIS = 20;
  private static final String PEAK = "VmHWM:";

  /**
   * Runs a program.
   *
   * @param environment added to this process' own
   * @throws IllegalStateException with its output, when the exit code is not 0
   */
  public static Child run(List<String> command, Map<String, String> environment, Path log)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().putAll(environment);
    long begin = System.nanoTime();
    Process process = builder.start();
    Duration cpu = Duration.ZERO;
    long peak = 0;
    try {
      while (!process.waitFor(SAMPLE_MILLIS, TimeUnit.MILLISECONDS)) {
        cpu = process.info().totalCpuDuration().orElse(cpu);
        peak = Math.max(peak, peak(process.pid()));
      }
    } finally {
      // Still alive only if this thread was interrupted.
      process.destroyForcibly();
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    String output = Files.readString(log, StandardCharsets.UTF_8);
    if (process.exitValue() != 0) {
      throw new IllegalStateException(
          command + " must end with 0, found " + process.exitValue() + ":\n" + output);
    }
    return new Child(seconds, cpu.toNanos() / 1e9, peak, output);
  }

  private static long peak(long pid) {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
        if (line.startsWith(PEAK)) {
          String kib = line.substring(PEAK.length()).replace("kB", "").strip();
          return Long.parseLong(kib) * 1024;
        }
      }
    } catch (IOException e) {
      // The process has ended meanwhile.
      return 0;
    }
    return 0;
  }
}
