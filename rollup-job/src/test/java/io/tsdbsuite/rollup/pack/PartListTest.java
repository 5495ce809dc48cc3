package io.tsdbsuite.rollup.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartListTest {
  @Test
  void rowsAreReadAsTheyWereWrittenAndACutListIsRefused() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (PartList.Writer list = new PartList.Writer(out)) {
      list.row(new byte[] {1, 2, 3}, List.of(new byte[11], new byte[] {7}));
      list.row(new byte[] {1, 2, 4}, List.of());
      list.row(new byte[300], List.of(new byte[] {-1}));
      list.end();
    }
    byte[] bytes = out.toByteArray();
    try (PartList.Reader list = new PartList.Reader(new ByteArrayInputStream(bytes))) {
      assertThat(list.next()).isTrue();
      assertThat(list.key()).containsExactly(1, 2, 3);
      assertThat(list.qualifiers()).containsExactly(new byte[11], new byte[] {7});
      assertThat(list.next()).isTrue();
      assertThat(list.key()).hasSize(300);
      assertThat(list.qualifiers()).containsExactly(new byte[] {-1});
      assertThat(list.next()).isFalse();
    }
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(
              () -> {
                try (PartList.Reader list = new PartList.Reader(new ByteArrayInputStream(cut))) {
                  while (list.next()) {
                    assertThat(list.key()).isNotEmpty();
                  }
                }
              })
          .isInstanceOf(EOFException.class);
    }
  }
}
