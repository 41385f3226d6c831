/** Definitions that use every feature: their objects are among the requests. */
const text = { type: 'string' }
const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 0, maximum: 100, default: 1 },
        ratio: { type: 'number', multipleOf: 0.5 },
        port: { 'x-kubernetes-int-or-string': true },
        name: { ...text, pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$', maxLength: 40 },
        at: { ...text, format: 'date-time', nullable: true },
        kind: { ...text, enum: ['small', 'large'] },
        labels: { type: 'object', maxProperties: 50, additionalProperties: { ...text, maxLength: 60 } },
        tags: { type: 'array', maxItems: 20, items: { ...text, maxLength: 30 }, 'x-kubernetes-list-type': 'set' },
        parts: {
          type: 'array',
          maxItems: 50,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: { ...text, maxLength: 20 }, count: { type: 'integer', default: 1 } },
          },
        },
        anything: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        template: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
      },
      'x-kubernetes-validations': [
        { rule: 'self.size > 0 || !has(self.name)', message: 'what has a name has a size' },
        { rule: "!has(self.tags) || self.tags.all(tag, tag.startsWith('a') || tag.size() < 20)" },
      ],
    },
    status: { type: 'object', properties: { replicas: { type: 'integer' }, selector: text } },
  },
}

const definition = (plural: string, kind: string, scope: string) => ({
  metadata: { name: `${plural}.fuzz.test` },
  spec: {
    group: 'fuzz.test',
    scope,
    names: { plural, singular: kind.toLowerCase(), kind, shortNames: [plural.slice(0, 3)] },
    versions: ['v1', 'v1beta1'].map(name => ({
      name,
      served: true,
      storage: name === 'v1',
      schema: { openAPIV3Schema: schema },
      subresources: {
        status: {},
        scale: {
          specReplicasPath: '.spec.size',
          statusReplicasPath: '.status.replicas',
          labelSelectorPath: '.status.selector',
        },
      },
      additionalPrinterColumns: [
        { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
        { name: 'First', type: 'string', jsonPath: '.spec.parts[0].name' },
      ],
    })),
  },
})

export const customTypes = (vendor: string): readonly object[] =>
  [definition('gadgets', 'Gadget', 'Namespaced'), definition('worlds', 'World', 'Cluster')].map(each =>
    JSON.parse(JSON.stringify(each).replaceAll('x-kubernetes-', `x-${vendor}-`)),
  )
