variable "name" {
  description = "Name of the stack, and a part of the names of its state machine and log groups."
  type        = string
  default     = "opentsdb-rollup"

  validation {
    condition     = can(regex("^[A-Za-z][A-Za-z0-9-]{0,59}$", var.name))
    error_message = "name must begin with a letter and have at most 60 letters, digits and hyphens."
  }
}

variable "template_file" {
  description = "Path of the packaged template: --output-template-file of aws cloudformation package."
  type        = string

  validation {
    condition     = !can(regex("TemplateURL: stacks/", file(var.template_file)))
    error_message = "template_file must be the output of aws cloudformation package, not rollup-pipeline.yaml."
  }
}

variable "parameters" {
  description = "Parameters of rollup-pipeline.yaml by name; a list is one comma-separated text."
  type        = map(string)
}

variable "tags" {
  description = "Tags of all resources of the stack."
  type        = map(string)
  default     = {}
}
