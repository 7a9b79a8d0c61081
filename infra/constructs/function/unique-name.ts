/** A name that no other stack has, of any account or region: letters, digits and hyphens, 44 of them. */
import { Aws, Fn } from 'aws-cdk-lib';

/**
 * It ends with the id of the stack, a UUID: names of CloudFront are those of an account in all regions, and prefixes of sign-in
 * domains those of all accounts of a region. Source: docs.aws.amazon.com CloudFormation, pseudo parameters, "AWS::StackId".
 */
export const uniqueName = (): string => `gateway-${Fn.select(2, Fn.split('/', Aws.STACK_ID))}`;
