# The stack of rollup-pipeline.yaml for users of Terraform. The template is what
# `aws cloudformation package` makes; docs/aws-reference.md has the commands.

terraform {
  required_version = ">= 1.3"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

resource "aws_cloudformation_stack" "rollup" {
  name          = var.name
  template_body = file(var.template_file)
  capabilities  = ["CAPABILITY_IAM"]
  parameters    = var.parameters
  tags          = var.tags
  # A stack whose creation failed stays, with the events that say why; destroy it before the next apply.
  on_failure = "ROLLBACK"

  timeouts {
    create = "60m"
    update = "60m"
    delete = "60m"
  }
}
