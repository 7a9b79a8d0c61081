/** The stack for web pages: preflights without a function, and headers on the answers of API Gateway itself. */
import { describe, expect, test } from 'vitest';
import { servedFunctions } from '../../lib/core/served-functions.ts';
import { readStack } from './read-template.ts';

function synthesize(corsOrigins: readonly string[]) {
  const { propertiesOf } = readStack({ corsOrigins });
  return {
    preflights: propertiesOf('AWS::ApiGateway::Method').filter(({ HttpMethod }) => HttpMethod === 'OPTIONS'),
    variables: propertiesOf('AWS::Lambda::Function').map(
      ({ Environment }) => Environment?.Variables?.GATEWAY_CORS_ORIGINS,
    ),
    answers: propertiesOf('AWS::ApiGateway::GatewayResponse').map(
      ({ ResponseParameters }) => ResponseParameters,
    ),
  };
}

const paths = new Set(servedFunctions.flatMap((served) => served.paths));
const allowOrigin = 'method.response.header.access-control-allow-origin';

test('by default, nothing is for web pages', () => {
  const { preflights, variables, answers } = synthesize([]);
  expect(preflights).toEqual([]);
  expect(variables.filter(Boolean)).toEqual([]);
  expect(JSON.stringify(answers)).not.toContain('access-control');
});

describe.each([[['*']], [['https://a.example.com']], [['https://a.example.com', 'http://localhost:3000']]])(
  'for %j',
  (origins) => {
    const { preflights, variables, answers } = synthesize(origins);

    test('API Gateway answers the preflight of every path by itself', () => {
      expect(preflights).toHaveLength(paths.size);
      for (const { Integration, MethodResponses, AuthorizationType } of preflights) {
        expect([Integration.Type, AuthorizationType]).toEqual(['MOCK', 'NONE']);
        const [{ StatusCode, ResponseParameters }] = Integration.IntegrationResponses;
        expect(StatusCode).toBe('204');
        expect(ResponseParameters).toMatchObject({
          [allowOrigin]: `'${origins[0]}'`,
          'method.response.header.access-control-allow-headers': "'authorization, *'",
          'method.response.header.access-control-allow-methods': "'GET, HEAD, POST, DELETE'",
        });
        expect(Object.keys(MethodResponses[0].ResponseParameters)).toEqual(Object.keys(ResponseParameters));
      }
    });

    test('the functions know the origins', () => {
      expect(variables.filter((value) => value === origins.join())).toHaveLength(servedFunctions.length);
    });

    test('the answers of API Gateway itself can be read', () => {
      for (const answer of answers)
        expect(answer).toMatchObject({
          'gatewayresponse.header.access-control-allow-origin': "'*'",
          'gatewayresponse.header.access-control-expose-headers': "'*'",
        });
    });
  },
);

test('with several origins, a preflight is answered with the one of the page', () => {
  const { preflights } = synthesize(['https://a.example.com', 'https://b.example.com']);
  const [{ ResponseTemplates }] = preflights[0]?.Integration.IntegrationResponses ?? [];
  const template = ResponseTemplates['application/json'];
  expect(template).toContain(
    '#if($origin == "https://a.example.com" || $origin == "https://b.example.com")#set($context.responseOverride.header.access-control-allow-origin = $origin)#end',
  );
});
