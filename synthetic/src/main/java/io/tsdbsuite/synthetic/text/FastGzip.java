package io.tsdbsuite.synthetic.text;

import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** Gzip at its fastest level: larger files, less CPU. */
public final class FastGzip extends GZIPOutputStream {
  private static final int BUFFER = 1 << 16;

  /** Writes the header. */
  public FastGzip(OutputStream out) throws IOException {
    super(out, BUFFER);
    def.setLevel(Deflater.BEST_SPEED);
  }
}
