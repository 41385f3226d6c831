import { defineAdmission, reject, services } from 'orch/sdk'
import type { IngressClass } from '../ingress-classes/schema.js'
import type { Ingress } from '../ingresses/schema.js'
import type { NetworkingNames } from '../names.js'

/** Gives a new Ingress that names no class the class that is marked as default. */
export const defaultIngressClass = ({ group, defaultClassAnnotation, classAnnotation }: NetworkingNames) =>
  defineAdmission<Ingress>()({
    name: 'DefaultIngressClass',
    phase: 'mutate',
    sideEffects: 'none',
    matches: { group, resource: 'ingresses', operations: ['create'] },
    needs: { reader: services.reader },
    async review({ object }, { reader }) {
      const isNamed =
        object.spec?.ingressClassName !== undefined || object.metadata?.annotations?.[classAnnotation] !== undefined
      if (isNamed) return
      // Straight from the store: a class that was just made counts.
      const classes = await reader.list<IngressClass>({ group, resource: 'ingressclasses' })
      const defaults = classes.filter(({ metadata }) => metadata?.annotations?.[defaultClassAnnotation] === 'true')
      if (defaults.length > 1) return reject(`${defaults.length} default IngressClasses were found, only 1 allowed`)
      const name = defaults[0]?.metadata?.name
      if (name !== undefined) object.spec = { ...object.spec, ingressClassName: name }
    },
  })
