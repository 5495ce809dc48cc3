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
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;

/**
 * A jar that users install, which contains its libraries. Compares the jar with its bill of
 * materials: every listed library is in the jar, every library in the jar is listed, and the jar
 * has each library's licence.
 */
public final class ShippedJar {
  /**
   * The system property that is set if the jar has its bill of materials: in make test-all, unless
   * Maven is offline.
   */
  public static final String WITH_BILL = "shipped.sbom";

  private static final String OWN = "io.tsdbsuite";
  private static final String LICENSES = "META-INF/licenses/";
  private static final Pattern LICENSE_FILE = Pattern.compile("(?i).*(licen[cs]e|copying)[^/]*");
  private static final Pattern UNPACKED = Pattern.compile(LICENSES + "([^/]+)-jar/");
  private static final Pattern RELOCATED =
      Pattern.compile("(META-INF/versions/\\d+/)?io/tsdbsuite/(.*/)?shaded/.*\\.class");
  private static final Path OWN_CLASSES = Path.of("target/classes");
  private static final Pattern APACHE = Pattern.compile("(?i).*apache.*2.*");

  /** Licences that do not require a copy of the licence text. */
  private static final Set<String> WITHOUT_TEXT = Set.of("MIT-0");

  private final Set<String> entries = new TreeSet<>();
  private final Set<String> relocated = new HashSet<>();
  private final Set<String> listed = new HashSet<>();
  private final List<String> problems = new ArrayList<>();

  private final String classPath;

  private ShippedJar(String classPath) {
    this.classPath = classPath;
  }

  /**
   * The problems of a jar, one sentence each; empty if there are none. Its libraries are on the
   * class path of the test.
   *
   * @param property system property with the jar's path
   * @param module the jar's module: its bill is {@code META-INF/sbom/<module>.cdx.json}
   */
  public static List<String> problems(String property, String module) throws IOException {
    return problems(property, module, System.getProperty("java.class.path"));
  }

  /** The problems of a jar whose libraries are on another class path; otherwise as above. */
  public static List<String> problems(String property, String module, String classPath)
      throws IOException {
    ShippedJar shipped = new ShippedJar(classPath);
    shipped.check(Path.of(System.getProperty(property)), "META-INF/sbom/" + module + ".cdx.json");
    return shipped.problems;
  }

  private void check(Path path, String bill) throws IOException {
    try (JarFile jar = new JarFile(path.toFile())) {
      jar.stream().forEach(entry -> entries.add(entry.getName()));
      entries.stream()
          .filter(ShippedJar::isRelocated)
          .map(ShippedJar::simpleName)
          .forEach(relocated::add);
      if (!entries.contains(bill)) {
        problems.add(
            path + " must have " + bill + ": Maven makes it with -Dcyclonedx.skip=false, online");
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
      problems.add("the bill must list the libraries in the jar, found nothing");
    }
    for (JsonNode component : bill.path("components")) {
      checkLicense(component);
      checkInside(component);
    }
    checkListed();
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

  private void checkInside(JsonNode component) throws IOException {
    String file = component.path("name").asText() + "-" + component.path("version").asText();
    Optional<Path> library = onClassPath(file + ".jar");
    if (library.isEmpty()) {
      problems.add(file + " must be on the class path, to be compared");
      return;
    }
    try (JarFile jar = new JarFile(library.get().toFile())) {
      List<String> its = jar.stream().map(JarEntry::getName).filter(ShippedJar::isClass).toList();
      if (!its.isEmpty() && its.stream().noneMatch(this::isInside)) {
        problems.add(file + " is in the bill, and not in the jar");
      }
      listed.add(file);
      its.forEach(listed::add);
      its.stream().map(ShippedJar::simpleName).forEach(listed::add);
    }
  }

  private void checkListed() {
    entries.stream()
        .map(UNPACKED::matcher)
        .filter(unpacked -> unpacked.matches() && !listed.contains(unpacked.group(1)))
        .forEach(
            unpacked ->
                problems.add(unpacked.group(1) + " is not in the bill, its licences are there"));
    List<String> unlisted =
        entries.stream()
            .filter(ShippedJar::isClass)
            .filter(name -> !Files.exists(OWN_CLASSES.resolve(name)))
            .filter(name -> !listed.contains(isRelocated(name) ? simpleName(name) : name))
            .toList();
    if (!unlisted.isEmpty()) {
      problems.add(
          unlisted.size() + " classes are in no library of the bill, first " + unlisted.get(0));
    }
  }

  private boolean isInside(String name) {
    return entries.contains(name) || relocated.contains(simpleName(name));
  }

  private static boolean isClass(String entry) {
    return entry.endsWith(".class") && !entry.endsWith("-info.class");
  }

  /** Whether a relocated class of the library has this simple name. */
  private static boolean isRelocated(String entry) {
    return RELOCATED.matcher(entry).matches();
  }

  private Optional<Path> onClassPath(String file) {
    return Pattern.compile(Pattern.quote(File.pathSeparator))
        .splitAsStream(classPath)
        .map(Path::of)
        .filter(path -> path.endsWith(file) && Files.isRegularFile(path))
        .findFirst();
  }

  private static String simpleName(String entry) {
    return entry.substring(entry.lastIndexOf('/') + 1);
  }
}
