/** Source: AWS, Bedrock user guide, "Request and Response" of Anthropic Claude: a payload of at most 20 MB. */
export const maxPayloadBytes = 20 * 1024 * 1024;
