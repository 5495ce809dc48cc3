package io.tsdbsuite.dist.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GitFilesTest {
  @TempDir private Path root;

  @BeforeEach
  void aSourceAndWhatLiesBesideIt() throws IOException {
    Files.createDirectories(root.resolve("docs/examples"));
    for (String file : List.of("docs/page.md", "docs/notes.md", "docs/examples/kafka.properties")) {
      Files.writeString(root.resolve(file), file);
    }
    Files.writeString(root.resolve(".gitignore"), "*.properties\n");
  }

  private void git(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    Process git =
        new ProcessBuilder(command).directory(root.toFile()).redirectErrorStream(true).start();
    String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(git.waitFor()).as(output).isZero();
  }

  /** Neither ignored nor untracked files. */
  @Test
  void archivesHaveNoOtherFiles() throws Exception {
    git("init", "--quiet");
    git("add", "docs/page.md");
    // The build gives the root as the directory above its module.
    Path given = root.resolve("docs").resolve("..");
    FileTree tree = new FileTree().addAll("docs", given.resolve("docs"), GitFiles.of(given));
    assertThat(tree.entries().keySet()).containsExactly("docs/page.md");
  }

  @Test
  void aTreeWithoutGitHasAll() throws IOException {
    FileTree tree = new FileTree().addAll("docs", root.resolve("docs"), GitFiles.of(root));
    assertThat(tree.entries()).hasSize(3);
  }

  @Test
  void aGitThatCannotBeReadIsAFailure() throws IOException {
    Files.writeString(root.resolve(".git"), "gitdir: /no/such/directory\n");
    assertThatThrownBy(() -> GitFiles.of(root))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("git cannot list the files of " + root);
  }
}
