/**
 * The mail side of the account: the configuration set that every mail goes out under, the
 * sender's domain identity, and the rule that brings SES's events back as messages.
 * Verification itself is DNS, and so the operator's: the records are outputs.
 */
import { Aws, CfnCondition, CfnOutput, Fn, Stack } from 'aws-cdk-lib';
import { EventBus, Match, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import {
  CfnEmailIdentity,
  ConfigurationSet,
  EmailSendingEvent,
  EventDestination,
  SuppressionReasons,
} from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import { deadLetterQueue, type Worker } from './worker.ts';

/** What a mailbox tells back that stops or doubts an address, as EventBridge names it. */
const feedbackEvents = ['Email Bounced', 'Email Complaint Received', 'Email Rejected'];

export interface EmailProps {
  /** The address that mails come from. */
  readonly sender: string;
  /** The domain to make an SES identity of; empty where there is one already. */
  readonly senderDomain: string;
}

export class Email extends Construct {
  readonly configurationSetName: string;
  readonly #sender: string;

  constructor(scope: Construct, id: string, { sender, senderDomain }: EmailProps) {
    super(scope, id);
    this.#sender = sender;
    const configurationSet = new ConfigurationSet(this, 'ConfigurationSet', {
      reputationMetrics: true,
      suppressionReasons: SuppressionReasons.BOUNCES_AND_COMPLAINTS,
    });
    this.configurationSetName = configurationSet.configurationSetName;
    configurationSet.addEventDestination('Feedback', {
      destination: EventDestination.eventBus(
        EventBus.fromEventBusArn(this, 'DefaultBus', this.#arn('events', 'event-bus/default')),
      ),
      events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT, EmailSendingEvent.REJECT],
    });
    this.#domainIdentity(senderDomain);
  }

  /** Brings bounces, complaints and rejections of this configuration set to a worker. */
  feedBackTo({ queue }: Worker): void {
    new Rule(this, 'FeedbackRule', {
      eventPattern: {
        source: ['aws.ses'],
        detailType: feedbackEvents,
        detail: {
          mail: { tags: { 'ses:configuration-set': Match.exactString(this.configurationSetName) } },
        },
      },
      targets: [
        new SqsQueue(queue, { deadLetterQueue: deadLetterQueue(this, 'UndeliveredFeedback') }),
      ],
    });
  }

  /** Lets a function send as the sender, and read how fast the account may. */
  grantSend(lambda: LambdaFunction): void {
    const domain = Fn.select(1, Fn.split('@', this.#sender));
    lambda.addToRolePolicy(
      new PolicyStatement({
        actions: ['ses:SendRawEmail'],
        resources: [
          this.#arn('ses', `identity/${this.#sender}`),
          this.#arn('ses', `identity/${domain}`),
          this.#arn('ses', `configuration-set/${this.configurationSetName}`),
        ],
        conditions: { StringEquals: { 'ses:FromAddress': this.#sender } },
      }),
    );
    // The quota is the account's: SES knows no narrower resource for this action.
    lambda.addToRolePolicy(
      new PolicyStatement({ actions: ['ses:GetSendQuota'], resources: ['*'] }),
    );
  }

  /** DKIM by Amazon's keys, and a MAIL FROM under the same domain, so that SPF aligns too. */
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
    const tokens = [
      [identity.attrDkimDnsTokenName1, identity.attrDkimDnsTokenValue1],
      [identity.attrDkimDnsTokenName2, identity.attrDkimDnsTokenValue2],
      [identity.attrDkimDnsTokenName3, identity.attrDkimDnsTokenValue3],
    ];
    const records = [
      ...tokens.map(([name, value]) => `${name} CNAME ${value}`),
      `bounce.${domain} MX 10 feedback-smtp.${Aws.REGION}.amazonses.com`,
      `bounce.${domain} TXT "v=spf1 include:amazonses.com ~all"`,
      `_dmarc.${domain} TXT "v=DMARC1; p=quarantine"`,
    ];
    for (const [index, value] of records.entries()) {
      new CfnOutput(Stack.of(this), `SenderDnsRecord${index + 1}`, { value, condition });
    }
  }

  #arn(service: string, resource: string): string {
    return Stack.of(this).formatArn({ service, resource });
  }
}
