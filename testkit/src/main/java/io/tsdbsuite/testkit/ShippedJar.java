package io.tsdbsuite.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;

/**
 * A jar that users install, with the libraries inside that it needs. Holds it against its bill of
 * materials: whether what is listed is inside, and whether the licence of each is in the jar.
 */
public final class ShippedJar {
  private static final String OWN = "io.tsdbsuite";
  private static final String LICENSES = "META-INF/licenses/";
  private static final Pattern LICENSE_FILE = Pattern.compile("(?i).*(licen[cs]e|copying)[^/]*");
  private static final Pattern APACHE = Pattern.compile("(?i).*apache.*2.*");

  /** Licences that ask for no copy of themselves. */
  private static final Set<String> WITHOUT_TEXT = Set.of("MIT-0");

  private final Set<String> entries = new TreeSet<>();
  private final Set<String> classes = new HashSet<>();
  private final List<String> problems = new ArrayList<>();
  private int lookedInto;

  private ShippedJar() {}

  /**
   * What is wrong with a jar, one sentence each; empty if nothing is.
   *
   * @param module whose jar it is: its bill is {@code META-INF/sbom/<module>.cdx.json}
   */
  public static List<String> problems(Path jar, String module) throws IOException {
    ShippedJar shipped = new ShippedJar();
    shipped.check(jar, "META-INF/sbom/" + module + ".cdx.json");
    return shipped.problems;
  }

  private void check(Path path, String bill) throws IOException {
    try (JarFile jar = new JarFile(path.toFile())) {
      jar.stream().forEach(entry -> entries.add(entry.getName()));
      entries.stream().map(ShippedJar::simpleName).forEach(classes::add);
      if (!entries.contains(bill)) {
        problems.add(path + " must have " + bill);
        return;
      }
      if (!entries.contains("META-INF/LICENSE")) {
        problems.add(path + " must have META-INF/LICENSE");
      }
      try (InputStream in = jar.getInputStream(jar.getEntry(bill))) {
        checkBill(new ObjectMapper().readTree(in));
      }
    }
  }

  private void checkBill(JsonNode bill) throws IOException {
    if (bill.has("serialNumber") || bill.at("/metadata").has("timestamp")) {
      problems.add("the bill must be the same for the same sources: no serial number, no time");
    }
    if (bill.path("components").isEmpty()) {
      problems.add("the bill must list what is inside, found nothing");
    }
    for (JsonNode component : bill.path("components")) {
      checkLicense(component);
      checkInside(component);
    }
    if (lookedInto == 0) {
      problems.add("no library of the bill is on the class path, so nothing was compared");
    }
  }

  private void checkLicense(JsonNode component) {
    String name = component.path("name").asText();
    String version = component.path("version").asText();
    boolean hasOwn =
        entries.stream()
            .filter(entry -> entry.startsWith(LICENSES) && LICENSE_FILE.matcher(entry).matches())
            .map(entry -> entry.substring(LICENSES.length(), entry.lastIndexOf('/') + 1))
            .map(directory -> directory.substring(0, directory.indexOf('/')))
            .anyMatch(
                directory ->
                    directory.startsWith(name + "-" + version)
                        || directory.equals(name)
                        || name.startsWith(directory + "-"));
    if (hasOwn || component.path("group").asText().equals(OWN)) {
      return;
    }
    List<String> licenses = component.path("licenses").findValuesAsText("id");
    boolean shared =
        licenses.stream().anyMatch(WITHOUT_TEXT::contains)
            || APACHE.matcher(component.path("licenses").toString()).matches();
    if (!shared) {
      problems.add(
          name + " " + version + " must have its licence in the jar: " + component.get("licenses"));
    }
  }

  /** By names of classes without packages, which may be other ones inside. */
  private void checkInside(JsonNode component) throws IOException {
    String file = component.path("name").asText() + "-" + component.path("version").asText();
    Optional<Path> library = onClassPath(file + ".jar");
    if (library.isEmpty()) {
      return;
    }
    lookedInto++;
    try (JarFile jar = new JarFile(library.get().toFile())) {
      List<String> wanted =
          jar.stream()
              .map(entry -> simpleName(entry.getName()))
              .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
              .toList();
      if (!wanted.isEmpty() && wanted.stream().noneMatch(classes::contains)) {
        problems.add(file + " is in the bill, and not in the jar");
      }
    }
  }

  private static Optional<Path> onClassPath(String file) {
    return Pattern.compile(Pattern.quote(File.pathSeparator))
        .splitAsStream(System.getProperty("java.class.path"))
        .map(Path::of)
        .filter(path -> path.endsWith(file) && Files.isRegularFile(path))
        .findFirst();
  }

  private static String simpleName(String entry) {
    return entry.substring(entry.lastIndexOf('/') + 1);
  }
}
