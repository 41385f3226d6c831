import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { may } from '../model/access.js'
import { type Holder, whoCan } from '../model/who-can.js'
import { Failure, scrollable } from './parts.js'
import type { TabProps } from './tab-props.js'

/** The user's permissions on the object, and those of others. */
export function AccessTab({ type, object }: TabProps) {
  const { namespace = '', name } = object.metadata
  const holders = useSignal<readonly Holder[] | undefined>(undefined)
  const failure = useSignal<unknown>(undefined)
  useEffect(() => {
    void whoCan({ group: type.group, resource: type.resource, namespace, name }).then(
      found => (holders.value = found),
      failed => (failure.value = failed),
    )
  }, [])
  const asked = [...type.verbs, ...type.subresources.map(each => `update ${each}`)]
  const answer = (text: string) => {
    const [verb = '', subresource] = text.split(' ')
    return may(verb, type.group, subresource ? `${type.resource}/${subresource}` : type.resource, namespace, name)
  }
  return (
    <div class="summary">
      <section class="card">
        <h2>What you may do</h2>
        <ul class="chips">
          {asked.map(verb => (
            <li key={verb} class={answer(verb) === false ? 'no' : 'yes'}>
              {verb}: {answer(verb) === undefined ? '…' : answer(verb) ? 'yes' : 'not permitted'}
            </li>
          ))}
        </ul>
      </section>
      <section class="card">
        <h2>Who may access it</h2>
        {failure.value !== undefined && <Failure failure={failure.value} />}
        {holders.value && (
          <div {...scrollable('Who may access it')}>
            <table>
              <thead>
                <tr>
                  <th scope="col">Subject</th>
                  <th scope="col">Verbs</th>
                  <th scope="col">Role</th>
                  <th scope="col">Binding</th>
                </tr>
              </thead>
              <tbody>
                {holders.value.map(({ subject, verbs, role, binding }) => (
                  <tr key={`${subject} ${role} ${binding}`}>
                    <th scope="row">
                      <bdi>{subject}</bdi>
                    </th>
                    <td>{verbs.includes('*') ? 'all' : verbs.join(', ')}</td>
                    <td>
                      <bdi>{role}</bdi>
                    </td>
                    <td>
                      <bdi>{binding}</bdi>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        <p class="muted small">According to stored roles and bindings. Other authorizers may permit more.</p>
      </section>
    </div>
  )
}
