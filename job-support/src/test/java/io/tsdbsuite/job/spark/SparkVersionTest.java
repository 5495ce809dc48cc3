package io.tsdbsuite.job.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which Spark runs the jar. */
class SparkVersionTest {
  @Test
  void theClassPathOfTheBuildIsAccepted() {
    assertThatCode(SparkVersion::require).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "3.5.6, 2.12.18, 3.5.9, 2.12",
    "3.4.1-amzn-2, 2.12.15, 3.5.6, 2.12",
    "4.0.0-preview2, 2.13.14, 4.1.3, 2.13",
    "3.5.6, 2.13.8, 3.5.6, 2.13",
  })
  void othersOfTheSameMajorVersionAreAccepted(
      String spark, String scala, String builtSpark, String builtScala) {
    assertThat(SparkVersion.problem(spark, scala, builtSpark, builtScala)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "4.1.3, 2.13.17, 3.5.6, 2.12, Spark 3 on Scala 2.12",
    "3.5.6, 2.13.8, 3.5.6, 2.12, Spark 3 on Scala 2.12",
    "3.5.6, 2.13.8, 4.1.3, 2.13, Spark 4 on Scala 2.13",
  })
  void othersAreRefusedWithBothVersions(
      String spark, String scala, String builtSpark, String builtScala, String wanted) {
    assertThat(SparkVersion.problem(spark, scala, builtSpark, builtScala))
        .startsWith(
            "the jar is built for " + wanted + ", found Spark " + spark + " on Scala " + scala);
  }
}
