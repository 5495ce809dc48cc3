package io.tsdbsuite.query.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A headless Chromium (Debian's package chromium). */
final class Chromium {
  private final Path work;

  /**
   * @param work directory for the profile and the log
   */
  Chromium(Path work) {
    this.work = work;
  }

  private static String program() {
    for (String directory : System.getenv("PATH").split(File.pathSeparator, -1)) {
      for (String name : List.of("chromium", "chromium-browser", "google-chrome")) {
        Path program = Path.of(directory, name);
        if (Files.isExecutable(program)) {
          return program.toString();
        }
      }
    }
    throw new IllegalStateException(
        "tests of pages need Chromium on the PATH: apt-get install chromium");
  }

  /**
   * The document at an address after its scripts have run, and ten seconds of the page's clock have
   * passed.
   */
  String dom(String address) throws IOException, InterruptedException {
    Files.createDirectories(work);
    Path dom = work.resolve("dom.html");
    Process process =
        new ProcessBuilder(
                program(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--user-data-dir=" + work.resolve("profile").toAbsolutePath(),
                "--enable-logging=stderr",
                "--virtual-time-budget=10000",
                "--dump-dom",
                address)
            .redirectOutput(dom.toFile())
            .redirectError(log().toFile())
            .start();
    if (!process.waitFor(5, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new IllegalStateException("Chromium has not ended; its log is " + log());
    }
    return Files.readString(dom, UTF_8);
  }

  /** What scripts have said, and what the content security policy has blocked. */
  List<String> console() throws IOException {
    return Files.readAllLines(log()).stream().filter(line -> line.contains("CONSOLE")).toList();
  }

  private Path log() {
    return work.resolve("log.txt");
  }
}
