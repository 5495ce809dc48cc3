package io.tsdbsuite.trigger.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.planner.run.ShellWords;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.launcher.OptionParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** EMR Serverless splits sparkParameters; the judges are Spark's own parser and a shell. */
class ShellWordsTest {
  private static final String[] PARTS = {
    "a", "Z", "0", "-", "--conf", "=", "/", ":", ",", "{", "}", "*", "?", "~", "#", "$HOME", "`id`",
    "$(id)", "!", "&", "|", ";", "<", ">", "(", ")", "[", "]", "^", " ", "  ", "\t", "\n", "'",
    "''", "\"", "\\", "\\\\", "\u00e4", "\u20ac"
  };

  @TempDir Path directory;

  @Test
  void readable() {
    assertThat(
            ShellWords.join(
                List.of(
                    "--conf",
                    "spark.executor.memory=12g",
                    "--name",
                    "a b",
                    "it's",
                    "",
                    "s3://a/b_c.jar")))
        .isEqualTo("--conf spark.executor.memory=12g --name 'a b' 'it'\\''s' '' s3://a/b_c.jar");
  }

  @Test
  void splitsAsItWasJoined() throws IOException, InterruptedException {
    long seed = Seed.VALUE;
    Random random = new Random(seed);
    List<String> words = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      StringBuilder word = new StringBuilder();
      for (int part = random.nextInt(6); part >= 0; part--) {
        word.append(PARTS[random.nextInt(PARTS.length)]);
      }
      words.add(word.toString());
    }
    String line = ShellWords.join(words);
    assertThat(OptionParser.words(line)).as("seed %d", seed).isEqualTo(words);
    assertThat(shell(line)).as("seed %d", seed).isEqualTo(words);
  }

  private List<String> shell(String line) throws IOException, InterruptedException {
    Path script = directory.resolve("words.sh");
    Path out = directory.resolve("words");
    Files.writeString(script, "printf '%s\\0' " + line + "\n");
    Process process =
        new ProcessBuilder("sh", "-f", script.toString()).redirectOutput(out.toFile()).start();
    assertThat(process.waitFor()).isZero();
    String text = Files.readString(out, StandardCharsets.UTF_8);
    return List.of(text.substring(0, text.length() - 1).split("\0", -1));
  }
}
