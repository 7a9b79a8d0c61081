/** The method that answers a browser's preflight in API Gateway, without a function. */
import {
  AuthorizationType,
  type IntegrationResponse,
  type IResource,
  type Method,
  MockIntegration,
} from 'aws-cdk-lib/aws-apigateway';
import { preflightHeaders } from '../../../lib/core/cors.ts';

const statusCode = '204';

/** `origins` has at least one. */
export function addPreflight(resource: IResource, origins: readonly [string, ...string[]]): Method {
  const [first] = origins;
  const headers: [string, string][] = Object.entries({
    ...preflightHeaders,
    'access-control-allow-origin': first,
    ...(first !== '*' && { vary: 'origin' }),
  });
  const parameterOf = (name: string) => `method.response.header.${name}`;
  const integrationResponse: IntegrationResponse = {
    statusCode,
    responseParameters: Object.fromEntries(headers.map(([name, value]) => [parameterOf(name), `'${value}'`])),
    ...(origins.length > 1 && { responseTemplates: { 'application/json': chooseOrigin(origins) } }),
  };
  const integration = new MockIntegration({
    requestTemplates: { 'application/json': `{ statusCode: ${statusCode} }` },
    integrationResponses: [integrationResponse],
  });
  return resource.addMethod('OPTIONS', integration, {
    authorizationType: AuthorizationType.NONE,
    methodResponses: [
      {
        statusCode,
        responseParameters: Object.fromEntries(headers.map(([name]) => [parameterOf(name), true])),
      },
    ],
  });
}

/** A mapping template that answers with the dashboard's own origin if it is in the list. Origins have no characters that it reads. */
function chooseOrigin(origins: readonly string[]): string {
  const header = (name: string) => `$input.params().header.get("${name}")`;
  const isListed = origins.map((one) => `$origin == "${one}"`).join(' || ');
  return [
    `#set($origin = ${header('origin')})`,
    `#if(!$origin || $origin == "")#set($origin = ${header('Origin')})#end`,
    `#if(${isListed})#set($context.responseOverride.header.access-control-allow-origin = $origin)#end`,
  ].join('\n');
}
