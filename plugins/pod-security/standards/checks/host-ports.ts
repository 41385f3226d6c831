import { type Check, containersOf, namesOf, nounOf, nounWithNames } from '../check.js'

/** Pods open no ports of the node. */
export const hostPorts: Check = {
  id: 'hostPorts',
  level: 'baseline',
  versions: [
    {
      since: 0,
      find(pod) {
        const opened = containersOf(pod).flatMap(({ ports = [] }) => ports.map(({ hostPort = 0 }) => hostPort))
        const ports = [...new Set(opened.filter(port => port !== 0))].sort((left, right) => left - right)
        if (ports.length === 0) return undefined
        const users = namesOf(pod, ({ ports: own = [] }) => own.some(({ hostPort = 0 }) => hostPort !== 0))
        const verb = users.length === 1 ? 'uses' : 'use'
        return {
          reason: 'hostPort',
          detail: `${nounWithNames('container', users)} ${verb} ${nounOf('hostPort', ports.length)} ${ports.join(', ')}`,
        }
      },
    },
  ],
}
