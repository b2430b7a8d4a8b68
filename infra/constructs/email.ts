/**
 * The account's mail setup: the configuration set of every mail, the sender's domain identity, and
 * the rule that sends SES's events to a queue. The operator sets the DNS records for verification,
 * which are outputs.
 */
import { Aws, CfnCondition, CfnOutput, Duration, Fn, Stack, Validations } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { EventBus, Match, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import {
  CfnEmailIdentity,
  ConfigurationSet,
  EmailSendingEvent,
  EventDestination,
} from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import type { StackConfig } from '../config.ts';
import type { Alarms } from './alarms.ts';
import { removalOf } from './removal.ts';
import { deadLetterQueue, visibleDeadLetters, type Worker, watchDeadLetters } from './worker.ts';

/** The SES events, by EventBridge's names, after which an address is suppressed or doubted. */
const feedbackEvents = ['Email Bounced', 'Email Complaint Received', 'Email Rejected'];

export interface EmailProps {
  /** The sender address of the mails. */
  readonly sender: string;
  /** The domain to create an SES identity for; empty if one exists. */
  readonly senderDomain: string;
  readonly alarms: Alarms;
  readonly thresholds: StackConfig['alarms'];
}

export class Email extends Construct {
  readonly configurationSetName: string;
  /** Bounce and complaint rate of the account. */
  readonly reputation: readonly [bounces: Metric, complaints: Metric];
  readonly #sender: string;
  readonly #alarms: Alarms;

  constructor(scope: Construct, id: string, props: EmailProps) {
    super(scope, id);
    const { sender, senderDomain, alarms, thresholds } = props;
    this.#sender = sender;
    this.#alarms = alarms;
    const configurationSet = new ConfigurationSet(this, 'ConfigurationSet', {
      reputationMetrics: true,
      // Only our own suppression list counts: the reader and the owner can lift its blocks, and
      // SES's list would drop the confirmation mail for that.
      disableSuppressionList: true,
    });
    this.configurationSetName = configurationSet.configurationSetName;
    configurationSet.addEventDestination('Feedback', {
      destination: EventDestination.eventBus(
        EventBus.fromEventBusArn(this, 'DefaultBus', this.#arn('events', 'event-bus/default')),
      ),
      events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT, EmailSendingEvent.REJECT],
    });
    this.#domainIdentity(senderDomain);
    this.reputation = [reputationMetric('BounceRate'), reputationMetric('ComplaintRate')];
    this.#watch(thresholds);
  }

  #watch({ bouncePercent, complaintPercent }: StackConfig['alarms']): void {
    const [bounces, complaints] = this.reputation;
    this.#alarms.add(this, 'Bounces', {
      kind: 'mail-bounces',
      says: 'Too many mails bounce; SES may pause the account',
      metric: bounces,
      threshold: bouncePercent / 100,
    });
    this.#alarms.add(this, 'Complaints', {
      kind: 'mail-complaints',
      says: 'Too many readers report the mails as spam; SES may pause the account',
      metric: complaints,
      threshold: complaintPercent / 100,
    });
  }

  /** Sends bounces, complaints and rejections of this configuration set to a worker's queue. */
  feedBackTo({ queue }: Worker): void {
    const undelivered = deadLetterQueue(this, 'UndeliveredFeedback');
    const name = 'the mail feedback rule';
    const count = visibleDeadLetters(undelivered, name);
    watchDeadLetters(this, { name, alarms: this.#alarms, count });
    new Rule(this, 'FeedbackRule', {
      eventPattern: {
        source: ['aws.ses'],
        detailType: feedbackEvents,
        detail: {
          mail: { tags: { 'ses:configuration-set': Match.exactString(this.configurationSetName) } },
        },
      },
      targets: [new SqsQueue(queue, { deadLetterQueue: undelivered })],
    });
  }

  /** Lets a function send mail as the sender and read the account's sending rate. */
  grantSend(lambda: LambdaFunction): void {
    lambda.addToRolePolicy(
      new PolicyStatement({
        actions: ['ses:SendRawEmail'],
        resources: [
          // SES also checks the identity of a recipient that the account has verified, as in its sandbox.
          this.#arn('ses', 'identity/*'),
          this.#arn('ses', `configuration-set/${this.configurationSetName}`),
        ],
        conditions: { StringEquals: { 'ses:FromAddress': this.#sender } },
      }),
    );
    Validations.of(lambda.role ?? lambda).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity/*]',
      reason:
        'Recipients are identities too where the account has verified them; the condition fixes the sender',
    });
    // The quota belongs to the account: SES has no narrower resource for this action.
    lambda.addToRolePolicy(
      new PolicyStatement({ actions: ['ses:GetSendQuota'], resources: ['*'] }),
    );
  }

  /** DKIM with Amazon's keys, and a MAIL FROM under the same domain, so that SPF aligns too. */
  #domainIdentity(domain: string): void {
    const condition = new CfnCondition(this, 'HasSenderDomain', {
      expression: Fn.conditionNot(Fn.conditionEquals(domain, '')),
    });
    const identity = new CfnEmailIdentity(this, 'Domain', {
      emailIdentity: domain,
      dkimAttributes: { signingEnabled: true },
      mailFromAttributes: {
        mailFromDomain: `bounce.${domain}`,
        behaviorOnMxFailure: 'USE_DEFAULT_VALUE',
      },
      feedbackAttributes: { emailForwardingEnabled: false },
    });
    identity.cfnOptions.condition = condition;
    // Another stage may send with it, and its DKIM keys are in DNS.
    identity.applyRemovalPolicy(removalOf(true));
    const tokens = [
      [identity.attrDkimDnsTokenName1, identity.attrDkimDnsTokenValue1],
      [identity.attrDkimDnsTokenName2, identity.attrDkimDnsTokenValue2],
      [identity.attrDkimDnsTokenName3, identity.attrDkimDnsTokenValue3],
    ];
    const records = [
      ...tokens.map(([name, value]) => `${name} CNAME ${value}`),
      `bounce.${domain} MX 10 feedback-smtp.${Aws.REGION}.amazonses.com`,
      `bounce.${domain} TXT "v=spf1 include:amazonses.com ~all"`,
      // Without a policy first: infra/README.md says when to tighten it.
      `_dmarc.${domain} TXT "v=DMARC1; p=none"`,
    ];
    for (const [index, value] of records.entries()) {
      new CfnOutput(Stack.of(this), `SenderDnsRecord${index + 1}`, { value, condition });
    }
  }

  #arn(service: string, resource: string): string {
    return Stack.of(this).formatArn({ service, resource });
  }
}

/** SES computes this for the account, over the mails that it considers representative. */
function reputationMetric(rate: string): Metric {
  return new Metric({
    namespace: 'AWS/SES',
    metricName: `Reputation.${rate}`,
    statistic: Stats.AVERAGE,
    period: Duration.hours(1),
  });
}
