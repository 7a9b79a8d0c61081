/** An answer that follows a JSON Schema, on any model: the gateway uses what the provider has for it. */
import OpenAI from 'openai';

interface Recipe {
  readonly title: string;
  readonly minutes: number;
  readonly ingredients: string[];
}

const schema = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    minutes: { type: 'integer' },
    ingredients: { type: 'array', items: { type: 'string' } },
  },
  required: ['title', 'minutes', 'ingredients'],
  additionalProperties: false,
};

const client = new OpenAI();

const completion = await client.chat.completions.create({
  model: 'mistral/mistral-large-2512',
  messages: [{ role: 'user', content: 'A quick recipe, please.' }],
  response_format: { type: 'json_schema', json_schema: { name: 'recipe', schema, strict: true } },
});

const recipe: Recipe = JSON.parse(completion.choices[0]?.message.content ?? '');
console.log(`${recipe.title}, ${recipe.minutes} minutes, ${recipe.ingredients.length} ingredients`);
