package io.tsdbsuite.dist.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTreeTest {
  @Test
  void hasItsPathsInOrderAndTheirDirectories() {
    FileTree tree = new FileTree().add("b/c/d", "").add("a", "").add("b/a", "");
    assertThat(tree.entries().keySet()).containsExactly("a", "b/a", "b/c/d");
    assertThat(tree.directories()).containsExactly("b", "b/c");
  }

  @Test
  void refusesPathsThatLeaveTheTreeOrAreTaken() {
    FileTree tree = new FileTree().add("a", "");
    assertThatThrownBy(() -> tree.add("a", "")).hasMessageContaining("two of a");
    assertThatThrownBy(() -> tree.add("/a", "")).hasMessageContaining("must be relative");
    assertThatThrownBy(() -> tree.add("b//a", "")).hasMessageContaining("without empty names");
  }

  @Test
  void leavesOutWhatBuildsLeaveInADirectory(@TempDir Path dir) throws IOException {
    for (String file : new String[] {"a.txt", "sub/run.sh", "target/x", "__pycache__/x", ".x"}) {
      Files.createDirectories(dir.resolve(file).getParent());
      Files.writeString(dir.resolve(file), file);
    }
    FileTree tree = new FileTree().addAll("docs", dir, file -> true);
    assertThat(tree.entries().keySet()).containsExactly("docs/a.txt", "docs/sub/run.sh");
    assertThat(tree.entries().get("docs/sub/run.sh"))
        .isEqualTo(new Entry.Copied(dir.resolve("sub/run.sh"), Entry.EXECUTABLE));
  }

  /** The digest of the empty file is of FIPS 180-4's examples. */
  @Test
  void listsChecksumsAsSha256sumDoes() throws IOException {
    FileTree tree = new FileTree().add("empty", "").add("link", new Entry.Link("empty"));
    assertThat(tree.checksums())
        .isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  empty\n");
  }
}
