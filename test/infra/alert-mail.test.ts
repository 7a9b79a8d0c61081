/** Alerts in the stack: events of the aggregator always, and a mail for each where an address is given. */
import { Match, Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { makeStack } from './synthesize.ts';

function templateFor(alertMail: string): Template {
  const { stack, remove } = makeStack({ alertMail });
  const template = Template.fromStack(stack);
  remove();
  return template;
}

test('without an address there is no topic, and the aggregator may put events', () => {
  const template = templateFor('');
  template.resourceCountIs('AWS::SNS::Topic', 0);
  template.resourceCountIs('AWS::Events::Rule', 0);
  template.hasResourceProperties('AWS::IAM::Policy', {
    PolicyDocument: { Statement: Match.arrayWith([Match.objectLike({ Action: 'events:PutEvents' })]) },
  });
});

test('with an address, a rule mails the alerts', () => {
  const template = templateFor('ops@example.com');
  template.hasResourceProperties('AWS::Events::Rule', {
    EventPattern: { source: ['model-gateway'], 'detail-type': ['Limit Alert'] },
  });
  template.hasResourceProperties('AWS::SNS::Subscription', {
    Protocol: 'email',
    Endpoint: 'ops@example.com',
  });
  expect(Object.keys(template.findResources('AWS::SNS::Topic'))).toHaveLength(1);
});
