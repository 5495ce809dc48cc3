package io.tsdbsuite.quickstart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Peak resident memory of this process and its children, on systems with /proc. It must look before
 * a process ends, whose peak is lost then. The sum of the peaks of all processes that run at one
 * time is no less than the peak of their sum.
 */
final class PeakMemory {
  private static final String FIELD = "VmHWM:";
  private static final long KIBIBYTE = 1024;

  private long largest;

  /** Adds up the peaks of the processes that run now. */
  void look() {
    long sum =
        LongStream.concat(
                LongStream.of(ProcessHandle.current().pid()),
                ProcessHandle.current().descendants().mapToLong(ProcessHandle::pid))
            .map(PeakMemory::of)
            .sum();
    largest = Math.max(largest, sum);
  }

  /** The largest sum that was seen, bytes; empty on systems without /proc. */
  OptionalLong bytes() {
    return largest == 0 ? OptionalLong.empty() : OptionalLong.of(largest);
  }

  private static long of(long pid) {
    Path status = Path.of("/proc", Long.toString(pid), "status");
    if (!Files.isReadable(status)) {
      return 0;
    }
    try (Stream<String> lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith(FIELD))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * KIBIBYTE)
          .sum();
    } catch (IOException e) {
      // The process has exited meanwhile.
      return 0;
    }
  }
}
