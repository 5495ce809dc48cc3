package io.tsdbsuite.synthetic.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.synthetic.round.JsonFormat;
import io.tsdbsuite.synthetic.round.PointFormat;
import io.tsdbsuite.synthetic.round.TelnetFormat;
import io.tsdbsuite.synthetic.round.TextBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rounds and files write a point in the same syntax. */
class SharedSyntaxTest {
  private static final List<String> TAGS = List.of("sensor", "s1", "site", "site01");

  @Test
  void aTelnetLineIsPutAndAnImportLine() {
    assertThat(point(new TelnetFormat())).isEqualTo("put " + line(LineFormat.OPENTSDB, " "));
  }

  @Test
  void anElementOfAnHttpBodyIsAJsonLine() {
    assertThat(point(new JsonFormat()) + "\n").isEqualTo(line(LineFormat.JSON, ",\"value\":"));
  }

  private static String line(LineFormat format, String between) {
    return format.head("m", TAGS) + "1600000000" + between + "5" + format.tail(TAGS);
  }

  private static String point(PointFormat format) {
    TextBuffer out = new TextBuffer();
    format.point(out, 0, TextBuffer.bytes("m"), 1_600_000_000);
    out.decimal(5);
    for (int tag = 0; tag < TAGS.size() / 2; tag++) {
      format.tag(
          out, tag, TextBuffer.bytes(TAGS.get(2 * tag)), TextBuffer.bytes(TAGS.get(2 * tag + 1)));
    }
    format.endPoint(out);
    return out.toString();
  }
}
