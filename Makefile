# Every command of the suite. `make` alone lists them.
.DEFAULT_GOAL := help
# The version of the suite. make dist VERSION=0.1.0 builds a release.
VERSION := $(shell sed -n 's|.*<revision>\(.*\)</revision>.*|\1|p' pom.xml)
MVN ?= mvn
override MVN += -Drevision=$(VERSION)
ARGS ?=
SEED ?= $(shell date +%s)
SEED := $(SEED)
# One line for each module and each failing test; the rest is in target/test.log. A module that fails
# hides no module that does not need it.
RUN_MVN := $(MVN) -B --fail-at-end
RUN_TESTS := @testkit/bin/run-tests target/test.log $(RUN_MVN)
# The checks of cloudformation/ need no module and mostly wait for the network: beside Maven's lanes.
RUN_ALL := @testkit/bin/run-tests target/test.log --beside=cloudformation/bin/check $(RUN_MVN) -Daws.check.skip=true -Dlongest.first

# Maven's JVM has it on its class path: .mvn/jvm.config.
LOADER := target/maven/ProcessorLoader.class
$(LOADER): .mvn/ProcessorLoader.java
	@$(if $(JAVA_HOME),$(JAVA_HOME)/bin/)javac --release 17 -d $(@D) $<
test test-changed test-all unit lint: $(LOADER)

.PHONY: help
help: ## List the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 16

# What users install: the plugins go into a TSD as one jar each, and the job to Flink; classes will not do.
# Made again when a source is newer.
INGEST_JAR := kafka-ingest/target/kafka-ingest-$(VERSION)-tsd.jar
$(INGEST_JAR): pom.xml shipped-jar/pom.xml storage-format/pom.xml message-format/pom.xml coverage/pom.xml plugin-metrics/pom.xml \
  kafka-ingest/pom.xml \
  $(shell find storage-format/src/main message-format/src/main coverage/src/main plugin-metrics/src/main kafka-ingest/src/main -type f)
	@$(MVN) -q -pl kafka-ingest -am package -Dmaven.test.skip=true

QUERY_JAR := rollup-query/target/rollup-query-$(VERSION)-tsd.jar
$(QUERY_JAR): pom.xml shipped-jar/pom.xml storage-format/pom.xml coverage/pom.xml plugin-metrics/pom.xml rollup-query/pom.xml \
  $(shell find storage-format/src/main coverage/src/main plugin-metrics/src/main rollup-query/src/main -type f)
	@$(MVN) -q -pl rollup-query -am package -Dmaven.test.skip=true

STREAM_JAR := stream-rollup/target/stream-rollup-$(VERSION)-flink.jar
$(STREAM_JAR): pom.xml shipped-jar/pom.xml storage-format/pom.xml message-format/pom.xml coverage/pom.xml hbase-files/pom.xml \
  job-support/pom.xml stream-rollup/pom.xml \
  $(shell find storage-format/src/main message-format/src/main coverage/src/main hbase-files/src/main job-support/src/main \
    stream-rollup/src/main -type f)
	@$(MVN) -q -pl stream-rollup -am package -Dmaven.test.skip=true

.PHONY: quickstart
quickstart: $(INGEST_JAR) $(QUERY_JAR) $(STREAM_JAR) ## Run the whole flow on this machine, compare and time raw data and rollups; ARGS=--help
	@$(MVN) -q -pl quickstart -am process-classes
	@quickstart/bin/quickstart $(ARGS)

.PHONY: package-spark4
package-spark4: ## Build rollup-job's and bulk-loader's jars for Spark 4 (Scala 2.13), in their target/spark4
	@$(MVN) -q -Pspark4 -pl rollup-job,bulk-loader -am package -DskipTests

.PHONY: test
test: ## Build everything and pass all tests, as CI does; three modules at a time
	$(RUN_ALL) -T3 verify

REF ?= main
.PHONY: test-changed
test-changed: ## Test the modules that differ from a commit, and what depends on them; REF=main
	@testkit/bin/test-changed $(REF) $(RUN_MVN) -T3

.PHONY: test-all
test-all: ## The same with the slow tests and those on a cluster, on data drawn afresh; SEED=N to draw them again
	@echo "test.seed=$(SEED)"
	$(RUN_ALL) -T2 verify -Pdist -Dslow.tests=none -Dtest.seed=$(SEED) -Dcyclonedx.skip=false -Dshipped.sbom=true

.PHONY: test-load
test-load: ## bulk-loader's tests in full size: a million points, 20 kills, 100,000 names; about 25 minutes
	$(RUN_TESTS) -pl bulk-loader -am verify -Dtest=none -Dit.test='EqualityIT,KillIT,UidRaceIT,SparkLoadIT#likeATsd' \
	  -Dslow.tests=none -Dbulk.points=1000000 -Dbulk.kills=20 -Drace.names=100000 -Drace.optimized=true \
	  -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false \
	  -Dtestkit.jvm.flags="-XX:TieredStopAtLevel=4 -XX:-UseSerialGC -XX:+UseG1GC -Xms2g -Xmx3g" \
	  -Dtest.jvm.flags= -Dtest.jvm.args="-Xmx4g --add-opens=java.base/java.nio=ALL-UNNAMED --add-opens=java.base/java.lang=ALL-UNNAMED"

# stream-rollup with all of its tests.
TEST_STREAM := $(RUN_TESTS) -pl stream-rollup -am verify -Dslow.tests=none \
  -Dtest='io.tsdbsuite.stream.**.*Test' -Dit.test='io.tsdbsuite.stream.**.*IT' \
  -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false

.PHONY: test-cluster
test-cluster: ## All jobs on HDFS, YARN and three region servers, without and with Kerberos; about 30 minutes
	$(RUN_TESTS) -pl cluster-test -am verify -Dtest=none -Dit.test='io.tsdbsuite.cluster.*IT' -Dslow.tests=none \
	  -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false

.PHONY: test-stream
test-stream: ## stream-rollup's tests in full size: 20 kills of its process, 20 of Flink's; about 15 minutes
	$(TEST_STREAM) -Dstream.kills=20 -Dstream.cluster.kills=20

.PHONY: test-flink2
test-flink2: ## stream-rollup's tests, built for Flink 2.2 and run on it; about 6 minutes
	$(TEST_STREAM) -Pflink2

MINUTES ?= 10
CLIENTS ?= 20
.PHONY: chaos
chaos: ## The whole flow under a storm of kills, stops, splits and outages; MINUTES=10, CLIENTS=20 that query, SEED=N to repeat a storm
	@echo "test.seed=$(SEED)"
	$(RUN_TESTS) -pl system-test -am verify -Dtest=none -Dit.test=ChaosIT -Dslow.tests=none -Dchaos.minutes=$(MINUTES) \
	  -Dchaos.clients=$(CLIENTS) \
	  -Dtest.seed=$(SEED) -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false
	@tail -n 7 system-test/target/failsafe-reports/io.tsdbsuite.system.ChaosIT-output.txt

.PHONY: test-aws
test-aws: ## Only the checks of cloudformation/: lint, moto, the state machine, scripts; ten minutes on two cores
	@cloudformation/bin/check

.PHONY: versions
versions: ## Run the jobs and plugins against other versions of HBase, OpenTSDB, Spark and Java; writes docs/versions.md
	@testkit/bin/versions $(ARGS)

.PHONY: bench
bench: ## Measure the hot paths with JMH, several minutes; writes docs/benchmarks.md
	@$(MVN) -q -pl benchmarks -am process-classes
	@benchmarks/bin/bench kernels $(ARGS)

.PHONY: bench-quick
bench-quick: ## Measure ratios in 4 minutes, name those that moved by a fifth; ARGS=--keep keeps them, --check is CI's
	@$(MVN) -q -pl benchmarks,rollup-job -am process-classes
	@benchmarks/bin/bench quick $(ARGS)

.PHONY: bench-ingest
bench-ingest: ## Measure Kafka to HBase through a real TSD, about 15 minutes; writes docs/benchmarks.md
	@$(MVN) -q -pl benchmarks,kafka-ingest -am package -DskipTests
	@benchmarks/bin/bench ingest $(ARGS)

.PHONY: bench-meta
bench-meta: ## Measure the meta cache against the published plugin's way, about 15 minutes; writes docs/benchmarks.md
	@$(MVN) -q -pl benchmarks -am process-classes
	@benchmarks/bin/bench meta $(ARGS)

.PHONY: bench-load
bench-load: ## Measure bulk-loader against tsdb import and its aims, about 10 minutes; writes docs/benchmarks.md
	@$(MVN) -q -pl benchmarks,bulk-loader -am package -DskipTests
	@benchmarks/bin/bench load $(ARGS)

.PHONY: bench-rollup
bench-rollup: ## Measure rollup-job against the stock way, about 20 minutes; writes docs/benchmarks.md
	@$(MVN) -q -pl benchmarks,rollup-job -am process-classes
	@benchmarks/bin/bench rollup $(ARGS)

.PHONY: bench-plan
bench-plan: ## Measure the plan of 100,000 HFiles behind a slow S3, writes docs/benchmarks.md
	@$(MVN) -q -pl benchmarks,rollup-job -am process-classes
	@benchmarks/bin/bench plan $(ARGS)

.PHONY: bench-tiers
bench-tiers: ## Measure tiers plan, prove and apply of a day, and the bytes freed, about 2 minutes; writes docs/benchmarks.md
	@$(MVN) -q -pl benchmarks,rollup-job -am process-classes
	@benchmarks/bin/bench tiers $(ARGS)

.PHONY: bench-stream
bench-stream: ## Measure stream-rollup against Kafka Streams' DSL, about 12 minutes; writes docs/benchmarks.md
	@$(MVN) -q -pl benchmarks,stream-rollup -am process-classes
	@benchmarks/bin/bench stream $(ARGS)

.PHONY: bench-query
bench-query: ## Measure rollup-query against stock queries, about 10 minutes; writes docs/benchmarks.md
	@$(MVN) -q -pl benchmarks,rollup-query -am package -DskipTests
	@benchmarks/bin/bench query $(ARGS)

.PHONY: load-test
load-test: ## Measure a TSD without and with tsuid-ratelimiter, about 20 minutes; writes docs/benchmarks.md
	@$(MVN) -q -pl benchmarks,tsuid-ratelimiter -am package -DskipTests
	@benchmarks/bin/bench load-test $(ARGS)

.PHONY: load-generator
load-generator: ## Write points into a TSD of yours, at a rate or as fast as it goes; ARGS=--help
	@$(MVN) -q -pl benchmarks -am process-classes
	@benchmarks/bin/load-generator $(ARGS)

.PHONY: cold-start
cold-start: ## Print the size of lambda-trigger's jar and its cold start
	@$(MVN) -q -pl lambda-trigger -am package -DskipTests
	@lambda-trigger/bin/cold-start

.PHONY: unit
unit: ## Run the unit tests only, no servers; about 2 minutes
	$(RUN_TESTS) test

.PHONY: structure
structure: ## Print lines, classes and dependency cycles of each module
	@$(MVN) -q test-compile
	@testkit/bin/structure $(ARGS)

.PHONY: lint
lint: ## Check the format, compile with Error Prone and warnings as errors
	$(MVN) -B -q spotless:check test-compile

.PHONY: format
format: ## Format the sources
	$(MVN) -B -q spotless:apply
	@cloudformation/bin/check --format

.PHONY: package
package: ## Build the jars, without tests, with their bills of materials
	$(MVN) -B -q package -DskipTests -Dcyclonedx.skip=false

# The commit of the sources, if they are a Git tree without changes and without files that Git does not have.
COMMIT = $(shell test -z "$$(git status --porcelain --untracked-files=normal 2>&1 || echo none)" && git rev-parse HEAD || echo unknown)

.PHONY: dist
dist: ## Build tar.gz and packages from scratch into target/dist; VERSION=0.1.0 SIGN_KEY=FILE APK_KEY=FILE
	@$(MVN) -B -q -T2 -Pdist -pl dist -am clean package -Dmaven.test.skip=true -Dcyclonedx.skip=false -Dbuild.commit=$(COMMIT)

.PHONY: dist-check
dist-check: ## Build the distribution in two clones of the last commit, and compare all bytes
	@dist/bin/dist-check $(VERSION)

.PHONY: clean
clean: ## Remove everything that was built
	$(MVN) -B -q clean
