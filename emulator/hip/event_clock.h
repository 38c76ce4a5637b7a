// Which clock hipEventElapsedTime reads on the embedded device.
#pragma once

namespace rocxla::emu {

enum class EventClock {
  kNone,  // it refuses: the time that the host needs to execute a kernel says nothing about a GPU
  kHost,  // the host's time, taken when a stream comes to a record: how long the emulation took
};
// kHost when ROCXLA_EMBEDDED_CLOCK=host is in the environment, else kNone, until it is set. Thread-safe.
EventClock CurrentEventClock();
void SetEventClock(EventClock clock);

}  // namespace rocxla::emu
