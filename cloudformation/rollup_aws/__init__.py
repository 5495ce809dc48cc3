"""The program bin/rollup-aws: deploys and operates the nightly rollups on AWS through the AWS CLI."""
