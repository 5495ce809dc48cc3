package io.tsdbsuite.quickstart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Peak resident memory of this process and its children, on systems with /proc. */
final class PeakMemory {
  private static final String FIELD = "VmHWM:";
  private static final long KIBIBYTE = 1024;

  private PeakMemory() {}

  /** Sum of the peaks, bytes; empty on systems without /proc. */
  static OptionalLong ofAll() {
    long sum =
        LongStream.concat(
                LongStream.of(ProcessHandle.current().pid()),
                ProcessHandle.current().descendants().mapToLong(ProcessHandle::pid))
            .map(PeakMemory::of)
            .sum();
    return sum == 0 ? OptionalLong.empty() : OptionalLong.of(sum);
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
