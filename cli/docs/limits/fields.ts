/** Bounds of single fields of requests. */
import { maxCompared } from '../../../lib/core/names/closest-name.ts';
import { maxNameLength } from '../../../lib/http/problem.ts';
import { maxSchemaDepth } from '../../../lib/normalization/schemas/schema.ts';
import { maxSpeakerName } from '../../../lib/operations/chat/read/message-schema.ts';
import { maxLogprobs } from '../../../lib/operations/completions/schema.ts';
import { maxImages } from '../../../lib/operations/images/schema.ts';
import { maxKinds } from '../../../lib/operations/left-out.ts';
import { maxBetasLength } from '../../../lib/operations/messages/read/history/original.ts';
import { maxStopSequences } from '../../../lib/operations/messages/read/schema.ts';
import { maxListedDomains } from '../../../lib/operations/messages/read/tools/tool-schema.ts';
import {
  maxFallbacks,
  maxMetadata,
  maxMetadataName,
  maxMetadataValue,
  maxSafetyId,
  maxStops,
  maxToolName,
  maxTopLogprobs,
} from '../../../lib/operations/request-schema.ts';
import { keptCharacters } from '../../../lib/operations/responses/compact/endpoint.ts';
import { maxSearchDomains } from '../../../lib/operations/responses/read/tool-schema.ts';
import { maxPlugins, maxProviderName } from '../../../lib/operations/routing/schema.ts';
import { maxCheckedText } from '../../../lib/pipeline/generation/json/hold-to-format.ts';
import { maxShortenings } from '../../../lib/pipeline/generation/shorten.ts';
import type { LimitArea } from './row.ts';

export const fieldLimits: LimitArea = {
  title: 'Fields of requests',
  rows: [
    {
      what: 'Name of a tool',
      limit: { maxToolName },
      file: 'lib/operations/request-schema.ts',
      unit: 'characters',
      onExceed: '400',
    },
    {
      what: 'The header `anthropic-beta`',
      limit: { maxBetasLength },
      file: 'lib/operations/messages/read/history/original.ts',
      unit: 'characters',
      onExceed: '400',
    },
    {
      what: 'Stop sequences',
      limit: { maxStops },
      file: 'lib/operations/request-schema.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Stop sequences of a message; other models than Claude get the first four',
      limit: { maxStopSequences },
      file: 'lib/operations/messages/read/schema.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Domains that a web search of a message allows, or excludes',
      limit: { maxListedDomains },
      file: 'lib/operations/messages/read/tools/tool-schema.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: '`top_logprobs`',
      limit: { maxTopLogprobs },
      file: 'lib/operations/request-schema.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: '`logprobs` of a text completion',
      limit: { maxLogprobs },
      file: 'lib/operations/completions/schema.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: '`safety_identifier`',
      limit: { maxSafetyId },
      file: 'lib/operations/request-schema.ts',
      unit: 'characters',
      onExceed: '400',
    },
    {
      what: 'Pairs of `metadata`',
      limit: { maxMetadata },
      file: 'lib/operations/request-schema.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Name in `metadata`',
      limit: { maxMetadataName },
      file: 'lib/operations/request-schema.ts',
      unit: 'characters',
      onExceed: '400',
    },
    {
      what: 'Value in `metadata`',
      limit: { maxMetadataValue },
      file: 'lib/operations/request-schema.ts',
      unit: 'characters',
      onExceed: '400',
    },
    {
      what: 'Models in `extra.fallbacks` or `models`',
      limit: { maxFallbacks },
      file: 'lib/operations/request-schema.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Name of a provider in `provider`',
      limit: { maxProviderName },
      file: 'lib/operations/routing/schema.ts',
      unit: 'characters',
      onExceed: '400',
    },
    {
      what: 'Plugins',
      limit: { maxPlugins },
      file: 'lib/operations/routing/schema.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: '`name` of a chat message',
      limit: { maxSpeakerName },
      file: 'lib/operations/chat/read/message-schema.ts',
      unit: 'characters',
      onExceed: '400',
    },
    {
      what: 'Domains that a search of the web is limited to',
      limit: { maxSearchDomains },
      file: 'lib/operations/responses/read/tool-schema.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: '`n` of an image request',
      limit: { maxImages },
      file: 'lib/operations/images/schema.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Depth of a JSON Schema, in levels',
      limit: { maxSchemaDepth },
      file: 'lib/normalization/schemas/schema.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Kinds of fields that the gateway does not know, in the record of what was left out',
      limit: { maxKinds },
      file: 'lib/operations/left-out.ts',
      unit: 'count',
      onExceed: 'the others are counted together',
    },
    {
      what: 'Name of a field in an error',
      limit: { maxNameLength },
      file: 'lib/http/problem.ts',
      unit: 'characters',
      onExceed: 'cut',
    },
    {
      what: 'Name of a model or field that similar ones are searched for',
      limit: { maxCompared },
      file: 'lib/core/names/closest-name.ts',
      unit: 'characters',
      onExceed: 'the rest is not compared, or no name is proposed',
    },
    {
      what: 'Tries to shorten a conversation that is too long for its model',
      limit: { maxShortenings },
      file: 'lib/pipeline/generation/shorten.ts',
      unit: 'count',
      onExceed: 'the error of the provider',
    },
    {
      what: 'Text of an answer that is checked against a JSON Schema',
      limit: { maxCheckedText },
      file: 'lib/pipeline/generation/json/hold-to-format.ts',
      unit: 'characters',
      onExceed: 'the answer is given unchecked',
    },
    {
      what: 'What the user said last, kept beside the summary of a conversation',
      limit: { keptCharacters },
      file: 'lib/operations/responses/compact/endpoint.ts',
      unit: 'characters',
      onExceed: 'earlier messages are only in the summary',
    },
  ],
};
