// Runs the scenarios that come as JSON on standard input through the state machine of prune, whose service
// tasks answer from the scenario. Answers, for each, the calls in their order, the requests, and the end.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(process.argv[2]);
const { StateMachine } = require("aws-local-stepfunctions");

async function run(definition, scenario) {
  const calls = [];
  const requests = {};
  const answer = (name, request, value) => {
    calls.push(name);
    requests[name] = request;
    const listed = scenario[name] ?? ["ok"];
    const number = calls.filter((each) => each === name).length;
    const state = listed[Math.min(number, listed.length) - 1];
    if (state === "fails") {
      const error = new Error(`${name} failed`);
      error.name = "States.TaskFailed";
      throw error;
    }
    return value(state);
  };
  const handlers = {
    Plan: async (request) => answer("Plan", request, () => ({})),
    ReadPlan: async (request) => answer("ReadPlan", request, () => ({ Body: JSON.stringify(scenario.report) })),
    TellPlan: async (request) => answer("TellPlan", request, () => ({})),
    Running: async (request) =>
      answer("Running", request, (state) => ({ Executions: state === "runs" ? [{ Name: "rollup-1" }] : [] })),
    Delete: async (request) => answer("Delete", request, () => ({})),
    TellEnd: async (request) => answer("TellEnd", request, () => ({})),
    Notify: async (request) => answer("Notify", request, () => ({})),
  };
  const execution = new StateMachine(definition).run(
    { source: "aws.events" },
    {
      overrides: {
        taskResourceLocalHandlers: handlers,
        waitTimeOverrides: { WaitADay: 0, WaitForNight: 0 },
        retryIntervalOverrides: Object.fromEntries(Object.keys(handlers).map((name) => [name, 0])),
      },
      context: { Execution: { Id: "arn:execution", Name: "night-1" } },
    },
  );
  let outcome = "succeeded";
  try {
    await execution.result;
  } catch (error) {
    outcome = error.cause?.name ?? error.name;
  }
  return { calls, requests, outcome };
}

const { definition, scenarios } = JSON.parse(readFileSync(0, "utf8"));
const results = {};
for (const [name, scenario] of Object.entries(scenarios)) {
  results[name] = await run(structuredClone(definition), scenario);
}
process.stdout.write(JSON.stringify(results), () => process.exit(0));
