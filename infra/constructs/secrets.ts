/**
 * The secrets: the marketplace's key, which the operator sets, and generated ones. Functions get
 * the ARNs, never the values.
 */
import { Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { removalOf } from './removal.ts';

export interface SecretsProps {
  readonly keepData: boolean;
}

export class Secrets extends Construct {
  /**
   * A plain string: a random value, which the marketplace refuses, until the operator sets the key.
   */
  readonly marketplaceKey: Secret;
  /** JSON `{"prefix":"getin_","secret":"…"}`; the admin's API key is both joined. */
  readonly adminKey: Secret;
  /** A plain string; signs the links in mails (confirm, unsubscribe). */
  readonly linkSecret: Secret;
  /**
   * JSON `{"url":"","secret":"…"}`: the address for the operator's notices, and the secret that
   * signs them.
   */
  readonly operatorWebhook: Secret;

  /**
   * JSON `{"token":"","username":"","webhookSecret":"…"}`: the Telegram bot, and the secret that Telegram
   * sends with its updates.
   */
  readonly telegramBot: Secret;

  constructor(scope: Construct, id: string, { keepData }: SecretsProps) {
    super(scope, id);
    const removalPolicy = removalOf(keepData);
    this.marketplaceKey = new Secret(this, 'MarketplaceKey', {
      description: 'API key of the ticket marketplace data service, put by the operator',
      removalPolicy,
    });
    this.adminKey = new Secret(this, 'AdminKey', {
      description: "The first API key of Getin's own API",
      removalPolicy,
      generateSecretString: {
        secretStringTemplate: JSON.stringify({ prefix: 'getin_' }),
        generateStringKey: 'secret',
        passwordLength: 64,
        excludePunctuation: true,
      },
    });
    this.linkSecret = new Secret(this, 'LinkSecret', {
      description: 'Signs the links in mails; a new value breaks the links sent before',
      removalPolicy,
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
    });
    this.operatorWebhook = new Secret(this, 'OperatorWebhook', {
      description:
        "The webhook for the deployment's notices, put by the operator; without url: no webhook",
      removalPolicy,
      generateSecretString: {
        secretStringTemplate: JSON.stringify({ url: '' }),
        generateStringKey: 'secret',
        // 44 letters and digits are valid base64 of 33 bytes, as Standard Webhooks requires.
        passwordLength: 44,
        excludePunctuation: true,
      },
    });
    this.telegramBot = new Secret(this, 'TelegramBot', {
      description: 'The Telegram bot, put by npm run telegram; without token: no bot',
      removalPolicy,
      generateSecretString: {
        secretStringTemplate: JSON.stringify({ token: '', username: '' }),
        generateStringKey: 'webhookSecret',
        passwordLength: 64,
        excludePunctuation: true,
      },
    });
    acknowledgeNoRotation(
      this.marketplaceKey,
      'The marketplace issues the key: the operator puts a new one',
    );
    acknowledgeNoRotation(this.adminKey, 'API keys are rotated over the API, by their owners');
    acknowledgeNoRotation(
      this.linkSecret,
      'A new value would break the links in mails sent before',
    );
    acknowledgeNoRotation(
      this.operatorWebhook,
      'Its receiver must get a new value first: the operator puts it',
    );
    acknowledgeNoRotation(
      this.telegramBot,
      'Telegram issues the token, and must get a new secret of the webhook first',
    );
  }
}

function acknowledgeNoRotation(secret: Secret, reason: string): void {
  Validations.of(secret).acknowledge({ id: 'AwsSolutions-SMG4', reason });
}
