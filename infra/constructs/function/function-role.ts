/** The role of a Lambda function, which may do nothing until it is allowed something. */
import {
  type AddToPrincipalPolicyResult,
  PolicyDocument,
  type PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/**
 * What it may do is a part of the role itself. As the library writes it, it would be one more resource for each function, and
 * CloudFormation takes 500 in a stack.
 */
export class FunctionRole extends Role {
  private readonly allowed: PolicyDocument;

  constructor(scope: Construct, id: string) {
    const allowed = new PolicyDocument();
    super(scope, id, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { Allowed: allowed },
    });
    this.allowed = allowed;
  }

  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.allowed.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }
}
