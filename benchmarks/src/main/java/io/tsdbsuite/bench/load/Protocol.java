package io.tsdbsuite.bench.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** How points come to a TSD. */
public enum Protocol {
  /** Lines of {@code put}. */
  TELNET {
    @Override
    PointFormat format() {
      return new TelnetFormat();
    }

    @Override
    TsdConnection connect(TsdAddress address, Books books) throws IOException {
      return new TelnetConnection(address, books);
    }
  },

  /** {@code /api/put} with a JSON array. */
  HTTP {
    @Override
    PointFormat format() {
      return new JsonFormat();
    }

    @Override
    TsdConnection connect(TsdAddress address, Books books) throws IOException {
      return new HttpConnection(address, books);
    }
  };

  abstract PointFormat format();

  abstract TsdConnection connect(TsdAddress address, Books books) throws IOException;

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
