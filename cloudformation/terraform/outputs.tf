output "state_machine" {
  description = "ARN of the state machine."
  value       = lookup(aws_cloudformation_stack.rollup.outputs, "StateMachine", null)
}

output "log_bucket" {
  description = "Bucket of logs and reports; it stays when the stack is destroyed."
  value       = lookup(aws_cloudformation_stack.rollup.outputs, "LogBucket", null)
}

output "key_arn" {
  description = "KMS key of logs, reports, notifications and disks; it stays when the stack is destroyed."
  value       = lookup(aws_cloudformation_stack.rollup.outputs, "KeyArn", null)
}

output "topic" {
  description = "ARN of the SNS topic of notifications and alarms."
  value       = lookup(aws_cloudformation_stack.rollup.outputs, "Topic", null)
}

output "queue" {
  description = "URL of the queue between events and trigger."
  value       = lookup(aws_cloudformation_stack.rollup.outputs, "Queue", null)
}

output "dead_letters" {
  description = "URL of the dead-letter queue."
  value       = lookup(aws_cloudformation_stack.rollup.outputs, "DeadLetters", null)
}

output "trigger_function" {
  description = "Name of the function Trigger."
  value       = lookup(aws_cloudformation_stack.rollup.outputs, "TriggerFunction", null)
}

output "serverless_application" {
  description = "Id of the EMR Serverless application; null without one."
  value       = lookup(aws_cloudformation_stack.rollup.outputs, "ServerlessApplication", null)
}

output "job_role" {
  description = "ARN of the role of the job on EMR Serverless; null with EMR."
  value       = lookup(aws_cloudformation_stack.rollup.outputs, "JobRole", null)
}

output "prune_role" {
  description = "ARN of the role of prune; null without Prune=ON."
  value       = lookup(aws_cloudformation_stack.rollup.outputs, "PruneRole", null)
}

output "node_group" {
  description = "Security group of the job; the brokers must accept connections from it."
  value       = lookup(aws_cloudformation_stack.rollup.outputs, "NodeGroup", null)
}
