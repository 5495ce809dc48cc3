package io.tsdbsuite.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The jars that `make quickstart` builds again: of each the Makefile names all modules. */
class MakefileTest {
  private static final Path ROOT = Path.of("..");

  /** A rule: its prerequisites, and the module that its command builds. */
  private static final Pattern RULE =
      Pattern.compile("(?ms)^\\$\\(\\w+_JAR\\): (.+?)^\\t@\\$\\(MVN\\) -q -pl ([a-z-]+) ");

  @Test
  void jarsDependOnTheModulesThatAreInThem() throws Exception {
    Set<String> built = new TreeSet<>();
    String text = Files.readString(ROOT.resolve("Makefile"));
    for (MatchResult rule : RULE.matcher(text).results().toList()) {
      Set<String> modules = new TreeSet<>();
      addModules(rule.group(2), modules);
      for (String module : modules) {
        assertThat(rule.group(1)).contains(" " + module + "/pom.xml ", " " + module + "/src/main ");
      }
      built.add(rule.group(2));
    }
    assertThat(built).containsExactly("kafka-ingest", "rollup-query", "stream-rollup");
  }

  /** Adds a module and what it needs outside of its tests, by the names of their directories. */
  private static void addModules(String module, Set<String> found) throws Exception {
    Path pom = ROOT.resolve(module).resolve("pom.xml");
    if (!Files.exists(pom) || !found.add(module)) {
      return;
    }
    Element project =
        DocumentBuilderFactory.newDefaultInstance()
            .newDocumentBuilder()
            .parse(pom.toFile())
            .getDocumentElement();
    NodeList dependencies = project.getElementsByTagName("dependency");
    for (int i = 0; i < dependencies.getLength(); i++) {
      Element dependency = (Element) dependencies.item(i);
      if (text(dependency, "groupId").equals("io.tsdbsuite")
          && !text(dependency, "scope").equals("test")) {
        addModules(text(dependency, "artifactId"), found);
      }
    }
  }

  /** The first element of this name; Maven's order puts exclusions last. */
  private static String text(Element dependency, String name) {
    NodeList found = dependency.getElementsByTagName(name);
    return found.getLength() == 0 ? "" : found.item(0).getTextContent().strip();
  }
}
