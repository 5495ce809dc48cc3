package io.tsdbsuite.rollup.tiers.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.rollup.hfile.RunDir;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MarkerDirTest {
  private static final String PROOF = "ab".repeat(32);

  @TempDir Path dir;

  /** An apply that was killed while it wrote the mark has handed nothing to HBase. */
  @Test
  void anEmptyMarkIsNoLoadAndIsWrittenAgain() throws Exception {
    Path files = Files.createDirectories(dir.resolve("1-" + PROOF));
    Path mark = Files.createFile(files.resolve(RunDir.LOADING));
    MarkerDir markers = new MarkerDir(new Configuration(), dir.toUri().toString(), PROOF);
    assertThat(markers.loadingInto()).isNull();
    markers.mark(RunDir.LOADING, "cluster-1");
    assertThat(mark).hasContent("cluster-1");
    assertThat(markers.loadingInto()).isEqualTo("cluster-1");
    markers.mark(RunDir.LOADING, "cluster-2");
    assertThat(markers.loadingInto()).isEqualTo("cluster-1");
    assertThat(files).isDirectoryNotContaining("glob:**_part*");
  }

  @Test
  void aMarkWithoutTextStays() throws Exception {
    Path files = Files.createDirectories(dir.resolve("1-" + PROOF));
    MarkerDir markers = new MarkerDir(new Configuration(), dir.toUri().toString(), PROOF);
    assertThat(markers.isUndoing()).isFalse();
    markers.undoing();
    assertThat(files.resolve("_undoing")).isEmptyFile();
    markers.undoing();
    assertThat(markers.isUndoing()).isTrue();
  }
}
