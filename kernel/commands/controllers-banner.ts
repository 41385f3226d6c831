import type { ControllersFacts } from '../loops/open-controllers.js'

/** What a person needs to know right after the start: which loops, for which server, and whether others may run them too. */
export function controllersBanner(facts: ControllersFacts): string {
  const { server, contextName, loops, serverOnly, lease, identity, keysFrom, statusUrl } = facts
  const count = loops.length === 1 ? '1 control loop' : `${loops.length} control loops`
  return [
    `Running ${count} for ${server} (context ${contextName})`,
    `Loops: ${loops.join(', ') || 'none, see --controllers'}`,
    ...[...serverOnly].map(
      ([name, service]) =>
        `Left out: ${name} needs "${service}", which only a server has: orch serve --controllers=${name}`,
    ),
    `Leader election: ${lease === undefined ? 'off, so run this process only once' : `by lease ${lease}, as ${identity}`}`,
    `Keys: ${keysFrom === undefined ? 'those that flags name' : `those of ${keysFrom}, unless flags name others`}`,
    `Health and metrics: ${statusUrl ?? 'off, see --secure-port'}`,
    '',
  ].join('\n')
}
