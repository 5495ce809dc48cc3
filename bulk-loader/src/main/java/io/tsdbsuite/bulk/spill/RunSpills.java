package io.tsdbsuite.bulk.spill;

import io.tsdbsuite.bulk.group.HourSink;
import io.tsdbsuite.bulk.group.HourSinks;
import io.tsdbsuite.bulk.group.ReadCheckpoint;
import io.tsdbsuite.bulk.report.Tally;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Writes each spill as a run into the work directory. */
public final class RunSpills implements HourSinks {
  private final Path directory;
  private final SpillTarget target;

  /**
   * Spills to a directory.
   *
   * @param directory exists, on a local disk
   * @param target journals each spill
   */
  public RunSpills(Path directory, SpillTarget target) {
    this.directory = directory;
    this.target = target;
  }

  @Override
  public HourSink open(int unit, int spill, String source) {
    RunOrder order = new RunOrder(unit, spill);
    return new Spill(RunOrder.file(directory, order, order), order, source);
  }

  private final class Spill implements HourSink {
    private final Path path;
    private final RunOrder order;
    private final String source;
    private @Nullable RunWriter writer;

    Spill(Path path, RunOrder order, String source) {
      this.path = path;
      this.order = order;
      this.source = source;
    }

    private RunWriter writer() throws IOException {
      RunWriter open = writer == null ? new RunWriter(path) : writer;
      writer = open;
      return open;
    }

    @Override
    public void hour(byte[] key, int keyLen, byte[] packed, int off, int len, int points)
        throws IOException {
      writer().hour(key, keyLen, packed, off, len, points, false);
    }

    @Override
    public void series(byte[] tsuid, byte[] names, long accepted, long points, long newestMillis)
        throws IOException {
      writer().series(tsuid, names, accepted, points, newestMillis);
    }

    @Override
    public void commit(ReadCheckpoint upTo, Tally tally) throws IOException {
      RunFile run = writer == null ? null : writer.finish(order, order, source);
      target.committed(run, upTo, tally);
    }

    @Override
    public void close() throws IOException {
      if (writer != null) {
        writer.close();
      }
    }
  }
}
