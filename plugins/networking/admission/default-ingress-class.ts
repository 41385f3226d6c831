import { defineAdmission, reject, services } from 'orch/sdk'
import type { IngressClass } from '../ingress-classes/schema.js'
import type { Ingress } from '../ingresses/schema.js'
import type { NetworkingNames } from '../names.js'

/** Sets the default class on a new Ingress that names none. */
export const defaultIngressClass = ({
  group,
  defaultClassAnnotation,
  classAnnotation,
  usesNewestClass,
}: NetworkingNames) =>
  defineAdmission<Ingress>()({
    name: 'DefaultIngressClass',
    after: ['CertificateSubjectRestriction'],
    phase: 'mutate',
    sideEffects: 'none',
    matches: { group, resource: 'ingresses', operations: ['create'] },
    needs: { caches: services.caches },
    async review({ object }, { caches }) {
      const isNamed =
        object.spec?.ingressClassName !== undefined || object.metadata?.annotations?.[classAnnotation] !== undefined
      if (isNamed) return
      const classes = caches.of<IngressClass>({ group, resource: 'ingressclasses' })
      if (!classes.isReady) await classes.ready()
      classes.addIndex('isDefault', ({ metadata }) => [String(metadata?.annotations?.[defaultClassAnnotation])])
      const defaults = classes.indexed('isDefault', 'true')
      if (defaults.length > 1 && !usesNewestClass)
        return reject(`${defaults.length} default IngressClasses were found, only 1 allowed`)
      const [newest] = [...defaults].sort(byAge)
      const name = newest?.metadata?.name
      if (name !== undefined) object.spec = { ...object.spec, ingressClassName: name }
    },
  })

/** The newest first; of two of the same second the first by name. */
const byAge = ({ metadata: one }: IngressClass, { metadata: other }: IngressClass) =>
  (other?.creationTimestamp ?? '').localeCompare(one?.creationTimestamp ?? '') ||
  (one?.name ?? '').localeCompare(other?.name ?? '')
