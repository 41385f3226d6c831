import { definePlugin, methodNotAllowed } from 'orch/sdk'

/**
 * Types come from plugins and never from requests, so the list of definitions is empty for good. Clients ask for it before
 * they send an object of a type that cannot be patched, and give up where nobody answers.
 */
export const customResources = definePlugin({
  name: 'custom-resources',
  register(to, { vendor }) {
    const apiVersion = `${vendor.group('apiextensions')}/v1`
    const none = { kind: 'CustomResourceDefinitionList', apiVersion, metadata: {}, items: [] }
    to.route({
      path: `/apis/${apiVersion}/customresourcedefinitions`,
      handle({ query }) {
        // There is nothing to watch, and a list is no answer to a watch.
        if (query.has('watch')) throw methodNotAllowed()
        return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(none) }
      },
    })
  },
})
