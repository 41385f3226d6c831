import { type ApiObject, defineResource, defineVirtual, services, successStatus } from 'orch/sdk'
import { validateBinding } from '../pods/binding.js'
import { Binding } from './schema.js'

const needs = { client: services.client }

/** The old way to bind a Pod: the body names it. */
export const bindings = defineResource({
  group: '',
  kind: 'Binding',
  resource: 'bindings',
  namespaced: true,
  verbs: ['create'],
  versions: [{ name: 'v1', schema: Binding }],
  virtual: defineVirtual({
    needs,
    validate: validateBinding,
    async create({ namespace, body }, { client }) {
      const pods = client.resource({ group: '', version: 'v1', resource: 'pods' }).in(namespace)
      await pods.createSubresource((body as ApiObject).metadata.name ?? '', 'binding', body)
      return { object: successStatus }
    },
  }),
})
