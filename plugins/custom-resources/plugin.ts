import { definePlugin } from 'orch/sdk'
import { definitionController } from './control/definition-controller.js'
import { removeObjectsOfDefinitions } from './control/remove-objects.js'
import { customResourceDefinitions } from './definitions/resource.js'
import { expressionService } from './expressions/service.js'
import { customResourceNames } from './names.js'
import { customTypes, definitionChecks, definitionsKnown } from './serving/type-source.js'

export { conformance } from './conformance.js'

export const customResources = definePlugin({
  name: 'custom-resources',
  requires: ['webhooks'],
  register(to, { vendor }) {
    const names = customResourceNames(vendor)
    to.resource(customResourceDefinitions(names))
    to.typeSource(customTypes(names))
    to.service(expressionService(names))
    to.controller(definitionController(names))
    to.onStart(definitionsKnown(names), removeObjectsOfDefinitions(names))
    to.healthCheck(...definitionChecks(names))
  },
})
