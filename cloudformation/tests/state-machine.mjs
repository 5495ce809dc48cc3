// Runs the scenarios that come as JSON on standard input, for each of several state machines: the state
// machine is real, its service tasks are a small world of clusters, steps or job runs, and reports.
// Answers, for each scenario, what was called in which order, how the execution ended, and which clusters
// were left.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(process.argv[2]);
const { StateMachine } = require("aws-local-stepfunctions");

class ServiceError extends Error {
  constructor(name, message) {
    super(message);
    this.name = name;
  }
}

// The n-th answer of a list; its last one goes on for ever.
const nth = (list, n) => list[Math.min(n, list.length) - 1];

function world(scenario) {
  const calls = [];
  const clusters = new Map();
  const done = new Set(scenario.done ?? []);
  const counts = {};
  const count = (name) => (counts[name] = (counts[name] ?? 0) + 1);
  const call = (name, detail) => calls.push(detail === undefined ? name : `${name} ${detail}`);
  const steps = {};
  const looks = {};
  const requests = [];
  // What became of the job run that a client token has started: EMR Serverless starts one for each.
  const runs = new Map();
  let listed;

  const terminate = ({ ClusterId }) => {
    const answer = nth(scenario.terminate ?? ["ok"], count("terminate"));
    call("terminate", `${ClusterId} ${answer}`);
    if (answer !== "ok") throw new ServiceError("EMR.InternalServerError", "terminate failed");
    clusters.get(ClusterId).state = "TERMINATED";
    return {};
  };
  const tell = ({ TopicArn, Subject, Message }) => {
    if (!TopicArn || Subject.length > 100) throw new Error("not a notification");
    const answer = nth(scenario.notify ?? ["ok"], count("tell"));
    call("tell", answer);
    if (answer !== "ok") throw new ServiceError("SNS.SnsException", "publish failed");
    counts.message = Message;
    return {};
  };
  const command = (name, option, day) => ({
    name: `${name} ${day}`,
    args: ["spark-submit", option, day],
    job: {
      name: `${name} ${day}`,
      entryPoint: "s3://artifacts/rollup-job.jar",
      arguments: [option, day],
      sparkParameters: "--conf a=b",
    },
  });
  // Days whose HFiles a load has marked, and what each load has met.
  const loaded = new Set();
  const loads = {};
  const handlers = {
    async Prepare({ FunctionName, Payload }) {
      const answer = nth(scenario.prepare ?? ["ok"], count("prepare"));
      call("prepare", answer);
      if (answer !== "ok") throw new ServiceError(answer, "not now");
      const { execution, input } = Payload;
      if (!FunctionName || !execution || input.v !== 1) throw new Error("not the execution's input");
      if (Payload.load) throw new Error("not the input of an attempt");
      const step = (day) => ({
        day,
        report: `s3://logs/reports/${day}.json`,
        ...(scenario.covers ? { coverage: command("coverage", "--evidence", day) } : {}),
        ...(scenario.loads ? { loads: true } : {}),
      });
      const tiers = (scenario.tiers ? ["plan", "prove"] : []).map((name) => command(`tiers ${name}`, name, "2026-11-20"));
      const verify = Object.keys(scenario.verify ?? {}).map((day) => command("verify", "--day", day));
      const runs = input.days.filter((day) => !done.has(day));
      return {
        StatusCode: 200,
        Payload: {
          steps: [
            ...(scenario.uncovered ?? scenario.waiting?.filter((day) => !loaded.has(day)) ?? []).map(step),
            ...runs.map((day) => ({ ...step(day), ...command("rollup", "--day", day) })),
          ],
          tiers,
          verify,
        },
      };
    },
    async CreateCluster(request) {
      const answer = nth(scenario.create ?? ["ok"], count("create"));
      if (answer !== "ok") {
        call("create", answer);
        throw new ServiceError("EMR.ValidationException", answer);
      }
      const id = `j-${counts.create}`;
      call("create", id);
      clusters.set(id, { state: "RUNNING", request });
      return { ClusterId: id };
    },
    async RunJob(request) {
      const { ClusterId, Step } = request;
      const day = Step ? Step.HadoopJarStep.Args[2] : request.JobDriver.SparkSubmit.EntryPointArguments[1];
      // Without a cluster the application, which never fails.
      const cluster = clusters.get(ClusterId) ?? { state: "RUNNING" };
      if (!Step) requests.push(request);
      const former = Step ? undefined : runs.get(request.ClientToken);
      const next = () => nth(scenario.steps?.[day] ?? ["ok"], (steps[day] = (steps[day] ?? 0) + 1));
      const answer = former ?? (cluster.state === "RUNNING" ? next() : "dead");
      call(former ? "same" : "step", `${ClusterId ?? "app"} ${day} ${answer}`);
      if (answer === "refused") throw new ServiceError("EMRServerless.ThrottlingException", "Rate exceeded");
      if (answer === "answer lost") {
        runs.set(request.ClientToken, "ok");
        throw new ServiceError("EMRServerless.SdkClientException", "Unable to execute HTTP request");
      }
      if (!Step) runs.set(request.ClientToken, answer);
      if (answer === "hangs") await new Promise(() => {});
      if (answer === "cluster dies") cluster.state = "TERMINATED_WITH_ERRORS";
      if (answer === "ok" || answer === "no report") {
        if (answer === "ok") done.add(day);
        return { State: "COMPLETED or SUCCESS" };
      }
      throw new ServiceError("States.TaskFailed", `step ${answer} ${"x".repeat(4096)}`);
    },
    async Cover(request) {
      const { ClusterId, Step } = request;
      const day = Step ? Step.HadoopJarStep.Args[2] : request.JobDriver.SparkSubmit.EntryPointArguments[1];
      if (!Step) requests.push(request);
      const answer = nth(scenario.covers[day] ?? ["ok"], (looks[day] = (looks[day] ?? 0) + 1));
      call("cover", `${ClusterId ?? "app"} ${day} ${answer}`);
      if (answer === "hangs") await new Promise(() => {});
      if (answer !== "ok") throw new ServiceError("States.TaskFailed", `coverage ${answer}`);
      return { State: "COMPLETED or SUCCESS" };
    },
    async FindHFiles({ FunctionName, Payload }) {
      const { execution, input, load } = Payload;
      if (FunctionName !== "the-Prepare" || !execution || input.v !== 1) throw new Error("not the input of a load");
      const answer = nth(scenario.find ?? ["ok"], count("find"));
      call("find", `${load} ${answer === "ok" ? (loaded.has(load) ? "loaded" : "waits") : answer}`);
      if (answer !== "ok") throw new ServiceError(answer, "not now");
      return { StatusCode: 200, Payload: loaded.has(load) ? {} : { load: command("load", "--hfile-dir", load) } };
    },
    async Load(request) {
      const { ClusterId, Step } = request;
      const day = Step ? Step.HadoopJarStep.Args[2] : request.JobDriver.SparkSubmit.EntryPointArguments[1];
      if (!Step) requests.push(request);
      const former = Step ? undefined : runs.get(request.ClientToken);
      const answer = former ?? nth(scenario.loads[day] ?? ["ok"], (loads[day] = (loads[day] ?? 0) + 1));
      call("load", `${ClusterId ?? "app"} ${day} ${answer}`);
      if (answer === "refused") throw new ServiceError("EMRServerless.ThrottlingException", "Rate exceeded");
      if (!Step) runs.set(request.ClientToken, answer);
      if (answer === "hangs") await new Promise(() => {});
      if (answer !== "ok") throw new ServiceError("States.TaskFailed", `load ${answer}`);
      loaded.add(day);
      return { State: "COMPLETED or SUCCESS" };
    },
    async RunTiers(request) {
      const { ClusterId, Step } = request;
      const name = Step ? Step.HadoopJarStep.Args[1] : request.JobDriver.SparkSubmit.EntryPointArguments[0];
      if (!Step) requests.push(request);
      const answer = scenario.tiers[name] ?? "ok";
      call("tiers", `${ClusterId ?? "app"} ${name} ${answer}`);
      if (answer === "hangs") await new Promise(() => {});
      if (answer !== "ok") throw new ServiceError("States.TaskFailed", `tiers ${name} ${answer}`);
      return { State: "COMPLETED or SUCCESS" };
    },
    async RunVerify(request) {
      const { ClusterId, Step } = request;
      const day = Step ? Step.HadoopJarStep.Args[2] : request.JobDriver.SparkSubmit.EntryPointArguments[1];
      if (!Step) requests.push(request);
      const answer = scenario.verify[day];
      call("verify", `${ClusterId ?? "app"} ${day} ${answer}`);
      if (answer === "hangs") await new Promise(() => {});
      if (answer !== "ok") throw new ServiceError("States.TaskFailed", `verify ${answer}`);
      return { State: "COMPLETED or SUCCESS" };
    },
    TellVerify: async (request) => tell(request),
    TellTiers: async (request) => tell(request),
    async ReadReport({ FunctionName, Payload }) {
      if (!FunctionName || !Payload.notBefore || !Payload.report) throw new Error("not a report's input");
      call("report", Payload.day);
      const answer = nth(scenario.reports ?? ["ok"], count("report"));
      if (answer !== "ok") throw new ServiceError(answer, "not now");
      if (!done.has(Payload.day)) throw new ServiceError("io.tsdbsuite.trigger.ReportNotDone", "outcome failed");
      return { StatusCode: 200, Payload: { day: Payload.day, outcome: "done" } };
    },
    async WhyFailed({ FunctionName, Payload }) {
      if (FunctionName !== "the-Report" || !Payload.notBefore || !Payload.report || !Payload.failed) {
        throw new Error("not a failed step's input");
      }
      const code = /^ends with (\d)$/.exec(nth(scenario.steps[Payload.day], steps[Payload.day]))?.[1];
      call("why", `${Payload.day} ${code ?? "unknown"}`);
      if (scenario.why === "fails") throw new ServiceError("Lambda.Unknown", "not now");
      return { StatusCode: 200, Payload: { again: code === undefined || code === "3" } };
    },
    async LookAtCluster({ ClusterId }) {
      const { state } = clusters.get(ClusterId);
      call("look", `${ClusterId} ${state}`);
      return { Cluster: { Status: { State: state } } };
    },
    async FindLost({ FunctionName, Payload }) {
      if (FunctionName !== "the-LostInstances") throw new Error("not the function of the lost instances");
      const answer = nth(scenario.lost ?? [0], (listed = (listed ?? 0) + 1));
      call("list", `${Payload.clusterId} ${answer}`);
      if (answer === "fails") throw new ServiceError("Lambda.Unknown", "list failed");
      return { StatusCode: 200, Payload: { lost: answer > 0 } };
    },
    TerminateAfterFailure: async (request) => terminate(request),
    TerminateAfterSuccess: async (request) => terminate(request),
    async Notify({ TopicArn, Subject, Message }) {
      if (!TopicArn || Subject.length > 100) throw new Error("not a notification");
      const answer = nth(scenario.notify ?? ["ok"], count("notify"));
      call("notify", answer);
      if (answer !== "ok") throw new ServiceError("SNS.SnsException", "publish failed");
      counts.message = Message;
      return {};
    },
  };
  return { calls, clusters, counts, handlers, requests };
}

async function run(definition, scenario) {
  const { calls, clusters, counts, handlers, requests } = world(scenario);
  const machine = new StateMachine(definition);
  const input = { v: 1, root: "s3://b/p", dataSnapshot: "d", uidSnapshot: "u", days: scenario.days };
  const execution = machine.run(input, {
    overrides: {
      taskResourceLocalHandlers: handlers,
      retryIntervalOverrides: Object.fromEntries(Object.keys(handlers).map((name) => [name, 0])),
      waitTimeOverrides: { Pause: 0, PauseStart: 0, PauseLoad: 0 },
    },
    context: {
      Execution: { Id: "arn:execution", Input: input, StartTime: "2026-11-21T01:00:00Z" },
      State: { EnteredTime: "2026-11-21T01:00:00Z" },
    },
  });
  let outcome = "succeeded";
  let cause = null;
  try {
    await execution.result;
  } catch (error) {
    outcome = error.cause?.name ?? error.name;
    cause = error.cause?.message ?? error.message;
  }
  return {
    calls,
    outcome,
    cause,
    message: counts.message ?? null,
    clusters: Object.fromEntries([...clusters].map(([id, cluster]) => [id, cluster.state])),
    request: [...clusters.values()][0]?.request ?? null,
    requests,
  };
}

const answers = [];
for (const { definition, scenarios } of JSON.parse(readFileSync(0, "utf8"))) {
  const results = {};
  for (const [name, scenario] of Object.entries(scenarios)) {
    results[name] = await run(structuredClone(definition), scenario);
  }
  answers.push(results);
}
process.stdout.write(JSON.stringify(answers), () => process.exit(0));
