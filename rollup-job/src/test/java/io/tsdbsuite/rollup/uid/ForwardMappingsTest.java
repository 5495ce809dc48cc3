package io.tsdbsuite.rollup.uid;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.message.write.ByteSlice;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A UID loses its name if the table maps the name to another UID or to none. */
class ForwardMappingsTest {
  private final UidDictionary.Builder names = new UidDictionary.Builder(3, 3, 3);
  private ForwardMappings mappings;

  private static byte[] uid(int number) {
    return new byte[] {(byte) (number >> 16), (byte) (number >> 8), (byte) number};
  }

  private static byte[] bytes(String name) {
    return name.getBytes(StandardCharsets.ISO_8859_1);
  }

  private void reverse(UidKind kind, int number, String name) {
    byte[] bytes = bytes(name);
    names.add(kind, uid(number), 0, 3, bytes, 0, bytes.length);
  }

  private void forward(UidKind kind, String name, byte[] uid) {
    if (mappings == null) {
      mappings = new ForwardMappings(names.build(), StorageSchema.defaults());
    }
    byte[] bytes = bytes(name);
    mappings.add(kind, bytes, 0, bytes.length, uid, 0, uid.length);
  }

  private static String name(UidDictionary dictionary, UidKind kind, int number) {
    ByteSlice name = new ByteSlice();
    return dictionary.lookup(kind, number, name) ? name.toString() : null;
  }

  @Test
  void twoUidsWithOneName() {
    reverse(UidKind.TAGV, 1, "web01");
    reverse(UidKind.TAGV, 2, "web01");
    reverse(UidKind.TAGV, 3, "web02");
    reverse(UidKind.TAGK, 2, "host");
    forward(UidKind.TAGV, "web01", uid(2));
    forward(UidKind.TAGV, "web02", uid(3));
    forward(UidKind.TAGK, "host", uid(2));
    UidDictionary checked = mappings.build();
    assertThat(name(checked, UidKind.TAGV, 1)).isNull();
    assertThat(checked.foreignName(UidKind.TAGV, 1)).isEqualTo("web01");
    assertThat(name(checked, UidKind.TAGV, 2)).isEqualTo("web01");
    assertThat(checked.foreignName(UidKind.TAGV, 2)).isNull();
    assertThat(name(checked, UidKind.TAGV, 3)).isEqualTo("web02");
    assertThat(name(checked, UidKind.TAGK, 2)).isEqualTo("host");
    assertThat(checked.foreignName(UidKind.TAGV, 4)).isNull();
  }

  @Test
  void aNameThatMapsToNothing() {
    reverse(UidKind.METRIC, 1, "m");
    reverse(UidKind.METRIC, 2, "n");
    // The counter, and what has another width.
    forward(UidKind.METRIC, "\0", new byte[8]);
    forward(UidKind.METRIC, "m", new byte[] {0, 0, 0, 1});
    forward(UidKind.METRIC, "n", uid(2));
    UidDictionary checked = mappings.build();
    assertThat(checked.foreignName(UidKind.METRIC, 1)).isEqualTo("m");
    assertThat(name(checked, UidKind.METRIC, 2)).isEqualTo("n");
  }

  /** What is added to 36 bytes for each UID is next to nothing. */
  @Test
  void aGoodTableTakesNoMoreMemory() {
    for (int i = 1; i <= 200_000; i++) {
      reverse(UidKind.TAGV, i, "value-" + i);
    }
    UidDictionary before = names.build();
    mappings = new ForwardMappings(before, StorageSchema.defaults());
    for (int i = 200_000; i >= 1; i--) {
      forward(UidKind.TAGV, "value-" + i, uid(i));
    }
    UidDictionary checked = mappings.build();
    assertThat(checked.bytes()).isEqualTo(before.bytes());
    assertThat(checked.size(UidKind.TAGV)).isEqualTo(200_000);
    assertThat(name(checked, UidKind.TAGV, 131_072)).isEqualTo("value-131072");
  }
}
