/** How the client reads the bodies of errors. */
import * as z from 'zod';
import { errorEnvelopeSchema, paymentRequiredSchema } from '../contract/errors.ts';
import { needing } from './needed-fields.ts';

const envelope = errorEnvelopeSchema.shape.error;
export const readErrorEnvelope = z.looseObject({ error: needing(envelope, 'code') });
export const readPaymentRequired = needing(paymentRequiredSchema, 'error');
