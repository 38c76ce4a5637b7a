#include "emulator/observe/observer.h"

namespace rocxla::emu {

void ObserverList::BeginWorkgroup(const FaultPlace& place, const std::vector<Wave>& waves) {
  for (Observer* observer : observers_) observer->BeginWorkgroup(place, waves);
}

Status ObserverList::BeforeMicro(const FaultPlace& place, const Wave& wave) {
  for (Observer* observer : observers_) RETURN_IF_ERROR(observer->BeforeMicro(place, wave));
  return OkStatus();
}

void ObserverList::OnAccess(const Wave& wave, const MemoryAccess& access) {
  for (Observer* observer : observers_) observer->OnAccess(wave, access);
}

void ObserverList::OnBarrier(const FaultPlace& place) {
  for (Observer* observer : observers_) observer->OnBarrier(place);
}

Status ObserverList::EndWorkgroup(const FaultPlace& place) {
  for (Observer* observer : observers_) RETURN_IF_ERROR(observer->EndWorkgroup(place));
  return OkStatus();
}

}  // namespace rocxla::emu
